import { expect, it } from 'vitest'
import { newAnswer, newUserMessage, type ThreadMessage } from '../thread/state/thread-message.ts'
import { guestChatFile } from './guest-chat-file.ts'

const question = (key: string, content: string): ThreadMessage =>
  newUserMessage(key, { content, clientMessageId: `c-${key}`, createdAt: Date.UTC(2026, 0, 1) })
const answer = (key: string, content: string): ThreadMessage => ({
  ...newAnswer(key, 'v3', Date.UTC(2026, 0, 1, 0, 1)),
  content,
})

it('the import file of a guest chat has its messages in order, each linked to the one before', () => {
  const file = guestChatFile([question('a', 'One'), answer('b', 'Two'), question('c', 'Three'), answer('d', '')])
  expect(file?.messages.map(({ id, parentId, role, content }) => [id, parentId, role, content])).toEqual([
    ['a', null, 'user', 'One'],
    ['b', 'a', 'assistant', 'Two'],
    ['c', 'b', 'user', 'Three'],
  ])
  expect(file?.messages[1]).toMatchObject({ model: 'v3', createdAt: '2026-01-01T00:01:00.000Z' })
  expect(file?.chat.shown).toBe('c')
})

it('the import file of a guest chat has a stable id until the thread continues', () => {
  const begun = [question('a', 'One'), answer('b', 'Two')]
  const idOf = (thread: ThreadMessage[]) => guestChatFile(thread)?.chat.id
  expect(idOf(begun)).toBe(idOf([...begun]))
  expect(idOf([...begun, question('c', 'Three')])).not.toBe(idOf(begun))
})

it('a guest chat without messages has no import file', () => {
  expect(guestChatFile([])).toBeNull()
  expect(guestChatFile([answer('a', ' '), answer('b', '')])).toBeNull()
})
