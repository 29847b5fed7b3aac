import { describe, expect, it } from 'vitest'
import { eventsOfJsonAnswer, parseAnswerEvent } from './answer-event.ts'

const parse = (value: unknown) => parseAnswerEvent(JSON.stringify(value))

describe('parseAnswerEvent', () => {
  it('tells events apart by their keys', () => {
    expect(parse({ text: 'a' })).toEqual({ type: 'text', delta: 'a' })
    expect(parse({ reasoning: 'b' })).toEqual({ type: 'reasoning', delta: 'b' })
    expect(parse({ error: 'No', code: 'provider_error' })).toEqual({
      type: 'error',
      error: 'No',
      code: 'provider_error',
    })
    expect(parseAnswerEvent('[DONE]')).toEqual({ type: 'end' })
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
      userMessageId: 'u',
      model: 'v3',
      created: true,
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

  it.each(['', '{', 'null', '[]', '"text"', '7'])('does not take %j for an event', (data) => {
    expect(parseAnswerEvent(data)).toBeNull()
  })
})

describe('eventsOfJsonAnswer', () => {
  it('turns an answer into the events of a stream', () => {
    const events = eventsOfJsonAnswer({ chatId: 'c', messageId: 'm', content: 'Hello', reasoning: 'Hm' })
    expect(events?.map(({ type }) => type)).toEqual(['start', 'reasoning', 'text', 'done'])
  })

  it('takes whole tool calls, pages and images over', () => {
    const events = eventsOfJsonAnswer({ content: '', toolCalls: [{ toolCallId: 't1' }], attachments: 'none' })
    expect(events?.[1]).toEqual({ type: 'parts', toolCalls: [{ toolCallId: 't1' }], results: [], attachments: [] })
  })

  it('knows an error, and refuses what is neither', () => {
    expect(eventsOfJsonAnswer({ error: 'No' })).toEqual([{ type: 'error', error: 'No', code: '' }])
    expect(eventsOfJsonAnswer({ ok: true })).toBeNull()
    expect(eventsOfJsonAnswer('x')).toBeNull()
  })
})
