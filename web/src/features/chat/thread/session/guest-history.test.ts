import { expect, it } from 'vitest'
import { newAnswer, newUserMessage, type ThreadMessage } from '../state/thread-message.ts'
import { guestHistory } from './guest-history.ts'

const user = (content: string): ThreadMessage => ({
  ...newUserMessage(content, { content, model: 'v3', clientMessageId: 'x', createdAt: 0 }),
  state: 'sent',
})
const answer = (content: string): ThreadMessage => ({
  ...newAnswer(`a-${content}`, 'v3', 0),
  content,
  state: 'complete',
})

it('a guest’s history has the sent messages, without failed ones', () => {
  const failed: ThreadMessage = { ...user('lost'), state: 'failed' }
  const broken: ThreadMessage = { ...answer('half'), state: 'error' }
  const messages = [user('a'), answer('b'), failed, { ...answer(''), state: 'error' as const }, broken]
  expect(guestHistory(messages)).toEqual([
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
  ])
})

it('a guest’s history has the latest messages within the limit', () => {
  const long = 'x'.repeat(200_000)
  expect(guestHistory([user(`first${long}`), user(`second${long}`)])).toEqual([
    { role: 'user', content: `second${long}` },
  ])
  const many = Array.from({ length: 300 }, (_, index) => user(String(index)))
  expect(guestHistory(many)).toHaveLength(60)
  expect(guestHistory(many).at(-1)?.content).toBe('299')
})
