import { describe, expect, it } from 'vitest'
import { type AnswerMessage, decodeJson, decodeLine, decodeMessage } from './answer-event.ts'

const parse = (value: unknown) => decodeLine(JSON.stringify(value))
const answer = { chatId: 'c', messageId: 'm' }

describe('a line of a stream', () => {
  it('distinguishes events by their keys', () => {
    expect(parse({ text: 'a' })).toEqual({ type: 'text', delta: 'a' })
    expect(parse({ reasoning: 'b' })).toEqual({ type: 'reasoning', delta: 'b' })
    expect(parse({ error: 'No', code: 'provider_error' })).toEqual({
      type: 'error',
      error: 'No',
      code: 'provider_error',
    })
    expect(decodeLine('[DONE]')).toEqual({ type: 'end' })
    expect(parse({ something_new: 1 })).toEqual({ type: 'other' })
  })

  it('is read as web search events, with a page’s URL if it has no title', () => {
    const page = { url: 'https://example.com', title: 'https://example.com', domain: '' }
    expect(parse({ web_search_url: page.url })).toEqual({ type: 'found', pages: [page] })
    expect(parse({ url_content_processing: true })).toEqual({ type: 'reading' })
  })

  it.each([
    ['tool_call_start', { parameters: { a: 1 } }],
    ['tool_call_result', { result: null, resultNormalized: 'nothing' }],
    ['tool_call_error', { error: 'No' }],
  ])('is read as %s with the details of the call', (name, fields) => {
    const call = { toolCallId: 't1', toolName: 'clock', ...fields }
    expect(parse({ [name]: call })).toEqual({ type: 'tool', call })
    expect(parse({ [name]: { ...call, toolCallId: undefined } })).toEqual({ type: 'other' })
  })

  it('is read as the memories used, or as memory being unavailable', () => {
    const memory = { id: 'm1', text: 'I like tea' }
    expect(parse({ memories_used: [memory, { id: 2 }, null] })).toEqual({ type: 'memories', used: [memory] })
    expect(parse({ memory_unavailable: true })).toEqual({ type: 'memoryUnavailable' })
  })

  it.each(['stop', 'stopped', 'length', 'error'])(
    'is read as the end of an answer for the reason “%s”',
    (finishReason) => {
      expect(parse({ done: true, finishReason })).toMatchObject({ type: 'done', finishReason })
    },
  )

  it('is read as the start of a new chat', () => {
    const start = {
      chatId: 'c',
      messageId: 'm',
      userMessageId: 'u',
      model: 'v3',
      event: 'new_chat_created',
      title: 'Hi',
    }
    expect(parse(start)).toEqual({
      type: 'start',
      chatId: 'c',
      messageId: 'm',
      streamId: 'm',
      userMessageId: 'u',
      model: 'v3',
      title: 'Hi',
    })
  })

  it('is read as the end with its figures, ignoring values that are not numbers', () => {
    const done = {
      done: true,
      messageId: 'm',
      finishReason: 'length',
      usage: { inputTokens: 3 },
      credits: { charged: '1' },
    }
    expect(parse(done)).toEqual({
      type: 'done',
      finishReason: 'length',
      usage: { inputTokens: 3, outputTokens: 0, estimated: false },
      credits: { charged: 0, remaining: 0 },
    })
  })

  it.each(['', '{', 'null', '[]', '"text"', '7'])('that is %j is read as an unknown event', (data) => {
    expect(decodeLine(data)).toEqual({ type: 'other' })
  })
})

describe('a message of the socket', () => {
  const toolCall = { toolName: 'clock', toolCallId: 't1', parameters: {}, status: 'running', timestamp: '' } as const

  it.each([
    [
      { type: 'stream:delta', text: 'a' },
      { type: 'text', delta: 'a' },
    ],
    [
      { type: 'stream:delta', reasoning: 'b' },
      { type: 'reasoning', delta: 'b' },
    ],
    [{ type: 'stream:delta' }, { type: 'other' }],
    [
      { type: 'stream:tool', toolCall },
      { type: 'tool', call: toolCall },
    ],
    [
      { type: 'stream:websearch', results: [{ url: 'u', title: 't', domain: 'd' }] },
      { type: 'found', pages: [{ url: 'u', title: 't', domain: 'd' }] },
    ],
  ] as const)('that is %j is read as the event %j with its number', (message, event) => {
    expect(decodeMessage({ ...answer, seq: 7, ...message } as AnswerMessage)).toEqual({ type: 'event', seq: 7, event })
  })
})

describe('a JSON response', () => {
  it('is converted to the events of a stream', () => {
    const events = decodeJson({ chatId: 'c', messageId: 'm', content: 'Hello', reasoning: 'Hm' })
    expect(events?.map(({ type }) => type)).toEqual(['start', 'reasoning', 'text', 'done'])
  })

  it('keeps complete tool calls, pages and images', () => {
    const events = decodeJson({ content: '', toolCalls: [{ toolCallId: 't1' }], attachments: 'none' })
    expect(events?.[1]).toEqual({ type: 'parts', toolCalls: [{ toolCallId: 't1' }], results: [], attachments: [] })
  })

  it('is recognised as an error, and rejected if it is neither', () => {
    expect(decodeJson({ error: 'No' })).toEqual([{ type: 'error', error: 'No', code: '' }])
    expect(decodeJson({ ok: true })).toBeNull()
    expect(decodeJson('x')).toBeNull()
  })
})
