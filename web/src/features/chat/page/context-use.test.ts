import { expect, it } from 'vitest'
import { message } from '../../../testing/given-session.ts'
import { fromServer, newUserMessage } from '../thread/state/thread-message.ts'
import { contextUseOf } from './context-use.ts'

const asked = fromServer(message({ id: 'u1', content: 'x'.repeat(41) }))
const answered = (inputTokens: number, outputTokens: number, estimated = false) =>
  fromServer(message({ id: 'a1', role: 'assistant', content: 'y', usage: { inputTokens, outputTokens, estimated } }))

it('the context use of a thread is the provider’s count for the last answer', () => {
  expect(contextUseOf([asked, answered(900, 100)], 4_000)).toEqual({ tokens: 1_000, share: 0.25, exact: true })
})

it('the context use of a thread is estimated if the last answer has no count by its provider', () => {
  expect(contextUseOf([asked], 1_100)).toEqual({ tokens: 11, share: 0.01, exact: false })
  expect(contextUseOf([answered(900, 100), asked], 4_000)).toMatchObject({ tokens: 1_011, exact: false })
  expect(contextUseOf([asked, answered(900, 100, true)], 4_000)).toMatchObject({ tokens: 1_000, exact: false })
})

it('the context use of a thread ignores the count of an answer with tools or a search, whose prompt was sent several times', () => {
  const call = { toolName: 'clock', toolCallId: 't', parameters: {}, status: 'completed', timestamp: '' } as const
  const used = { ...answered(9_000, 100), toolCalls: [call], content: 'x'.repeat(400) }
  const searched = { ...used, toolCalls: [], webSearch: { query: 'x', results: [], stage: 'done' as const } }
  for (const last of [used, searched]) {
    expect(contextUseOf([asked, answered(90, 10), last], 4_000)).toMatchObject({ tokens: 200, exact: false })
  }
})

it('the context use of a thread is at most 100 percent, and excludes unsent messages', () => {
  const unsent = newUserMessage('k', { content: 'x'.repeat(400), clientMessageId: 'm', createdAt: 0 })
  expect(contextUseOf([asked, answered(9_000, 100), unsent], 4_000)).toEqual({ tokens: 9_100, share: 1, exact: true })
})
