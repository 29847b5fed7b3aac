import { expect, it } from 'vitest'
import { newAnswer, newUserMessage, type ThreadMessage } from '../thread/state/thread-message.ts'
import { factsOf } from './chat-facts.ts'

const said = (id: string | null): ThreadMessage => ({
  ...newUserMessage('k', { content: 'Hi', model: 'v3', clientMessageId: 'c', createdAt: 0 }),
  id,
})
const answered = (estimated: boolean): ThreadMessage => ({
  ...newAnswer('a', 'v3', 0, 'a'),
  usage: { inputTokens: 5, outputTokens: 2, estimated },
})

it('the facts of a chat count messages and tokens, without unsent ones', () => {
  expect(factsOf(null, [said('1'), answered(false), said('2'), answered(false), said(null)])).toEqual({
    chatId: null,
    messages: { total: 4, user: 2, assistant: 2 },
    tokens: { input: 10, output: 4, total: 14 },
    tokensAccurate: true,
  })
})

it('the token count of a chat is an estimate if that of one of its messages is', () => {
  expect(factsOf('c', [answered(false), answered(true)]).tokensAccurate).toBe(false)
})
