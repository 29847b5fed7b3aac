import { expect, it } from 'vitest'
import type { AnswerEvent } from '../../stream/answer-event.ts'
import { takeSteps, withVersion } from './answer-steps.ts'
import { beginSend } from './begin-answer.ts'
import { endAnswer } from './end-answer.ts'
import { newAnswer, newUserMessage, type ThreadMessage } from './thread-message.ts'
import { emptyThread, type ThreadState } from './thread-state.ts'

const question: ThreadMessage = {
  ...newUserMessage('k1', { content: 'One', clientMessageId: 'one', createdAt: 0 }),
  id: 'u1',
  state: 'sent',
}
const answer: ThreadMessage = { ...newAnswer('k2', 'v3', 0, 'a1'), content: 'Yes', state: 'complete' }
const thread: ThreadState = { ...emptyThread('c1'), title: 'Chat', messages: [question, answer] }
const sent = beginSend(thread, {
  userKey: 'k3',
  answerKey: 'k4',
  text: 'Two',
  model: 'v3',
  clientMessageId: 'two',
  at: 0,
})
const start: AnswerEvent = {
  type: 'start',
  chatId: 'c1',
  messageId: 'a2',
  streamId: 'a2',
  userMessageId: 'u2',
  model: 'v3',
}
const after = (event: AnswerEvent) => takeSteps(sent, [{ type: 'event', seq: 1, event }], 0)

it('the start of an answer is that of the last question, and keeps the earlier ones and the title of the chat', () => {
  const { messages, title } = after(start)
  expect(messages.slice(0, 2)).toEqual(thread.messages)
  expect(messages.slice(2)).toMatchObject([{ id: 'u2', state: 'sent' }, { id: 'a2' }])
  expect(title).toBe('Chat')
})

it('a question whose answer ends before its start was not sent', () => {
  const error = { type: 'error' as const, error: 'Down', code: 'provider_error' }
  expect(endAnswer(after(error), error, 0).messages.slice(2)).toMatchObject([{ state: 'failed' }, { state: 'error' }])
})

it('a new version is the last one of all', () => {
  const replaced = { kind: 'answer' as const, messages: [{ ...answer, versions: ['a0', 'a1'] }] }
  expect(withVersion(replaced, 'answer', 'a2')).toEqual(['a0', 'a1', 'a2'])
  expect(withVersion({ ...replaced, messages: [answer] }, 'answer', 'a2')).toEqual(['a1', 'a2'])
  expect(withVersion(replaced, 'question', 'u2')).toEqual([])
})
