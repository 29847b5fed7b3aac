import { describe, expect, it } from 'vitest'
import { type AnswerMessage, decodeJson, decodeLine, decodeMessage } from './answer-event.ts'

const parse = (value: unknown) => decodeLine(JSON.stringify(value))
const answer = { chatId: 'c', messageId: 'm' }

describe('a line of a stream', () => {
  it('tells events apart by their keys', () => {
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

  it('reads what is looked up on the web, by its address where a page has no title', () => {
    const page = { url: 'https://example.com', title: 'https://example.com', domain: '' }
    expect(parse({ web_search_url: page.url })).toEqual({ type: 'found', pages: [page] })
    expect(parse({ url_content_processing: true })).toEqual({ type: 'reading' })
  })

  it.each([
    ['tool_call_start', { parameters: { a: 1 } }],
    ['tool_call_result', { result: null, resultNormalized: 'nothing' }],
    ['tool_call_error', { error: 'No' }],
  ])('reads %s with what it tells of the call', (name, fields) => {
    const call = { toolCallId: 't1', toolName: 'clock', ...fields }
    expect(parse({ [name]: call })).toEqual({ type: 'tool', call })
    expect(parse({ [name]: { ...call, toolCallId: undefined } })).toEqual({ type: 'other' })
  })

  it('reads which memories are used, and that memory was away', () => {
    const memory = { id: 'm1', text: 'I like tea' }
    expect(parse({ memories_used: [memory, { id: 2 }, null] })).toEqual({ type: 'memories', used: [memory] })
    expect(parse({ memory_unavailable: true })).toEqual({ type: 'memoryUnavailable' })
  })

  it('reads the start of a new chat', () => {
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

  it('reads the end with its figures, and makes up none that are not numbers', () => {
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

  it.each(['', '{', 'null', '[]', '"text"', '7'])('that is %j is an event without a meaning', (data) => {
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
  ] as const)('that is %j is the event %j with its number', (message, event) => {
    expect(decodeMessage({ ...answer, seq: 7, ...message } as AnswerMessage)).toEqual({ type: 'event', seq: 7, event })
  })
})

describe('a JSON answer', () => {
  it('turns an answer into the events of a stream', () => {
    const events = decodeJson({ chatId: 'c', messageId: 'm', content: 'Hello', reasoning: 'Hm' })
    expect(events?.map(({ type }) => type)).toEqual(['start', 'reasoning', 'text', 'done'])
  })

  it('takes whole tool calls, pages and images over', () => {
    const events = decodeJson({ content: '', toolCalls: [{ toolCallId: 't1' }], attachments: 'none' })
    expect(events?.[1]).toEqual({ type: 'parts', toolCalls: [{ toolCallId: 't1' }], results: [], attachments: [] })
  })

  it('knows an error, and refuses what is neither', () => {
    expect(decodeJson({ error: 'No' })).toEqual([{ type: 'error', error: 'No', code: '' }])
    expect(decodeJson({ ok: true })).toBeNull()
    expect(decodeJson('x')).toBeNull()
  })
})
