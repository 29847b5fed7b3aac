import type { ScriptedProvider } from '@parley/fake-provider'
import { type ApiCaller, apiClient, collect, readEvents } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDemoProvider } from '../src/demo/provider.ts'

let demo: ScriptedProvider
let api: ApiCaller
beforeAll(async () => {
  demo = await startDemoProvider()
  api = apiClient(demo.url)
})
afterAll(() => demo.close())

const parameters = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } })
const openAiTools = [
  { type: 'function', function: { name: 'web_search', parameters: parameters('query') } },
  { type: 'function', function: { name: 'get_quote', parameters: parameters('symbol') } },
]
const complete = async (parts: object) =>
  (await api.post('/v1/chat/completions', { model: 'm', ...parts })).body as {
    choices: [{ finish_reason: string; message: { content: string; tool_calls?: unknown; images?: unknown } }]
  }
const asking = (content: unknown) => [{ role: 'user', content }]

describe('the demo provider', () => {
  it('names itself, quotes the question and lists its attachments', async () => {
    const parts = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ]
    const { message, finish_reason: reason } = (await complete({ messages: asking(parts) })).choices[0]
    expect(message.content).toMatch(/demo answer.*> What is this\?.*an image/s)
    expect(reason).toBe('stop')
  })

  it.each([
    ['How much is $AAPL?', [['get_quote', '{"symbol":"AAPL"}']]],
    [
      'Compare the price of TSLA and BRK.B',
      [
        ['get_quote', '{"symbol":"TSLA"}'],
        ['get_quote', '{"symbol":"BRK.B"}'],
      ],
    ],
    ['Search for the news', [['web_search', '{"query":"Search for the news"}']]],
    ['Say HELLO to us', []],
  ])('calls the tools requested by %j, if they are offered', async (question, expected) => {
    const { message, finish_reason: reason } = (await complete({ messages: asking(question), tools: openAiTools }))
      .choices[0]
    const calls = (message.tool_calls ?? []) as { function: { name: string; arguments: string } }[]
    expect(calls.map((call) => [call.function.name, call.function.arguments])).toEqual(expected)
    expect(reason).toBe(expected.length > 0 ? 'tool_calls' : 'stop')
    expect((await complete({ messages: asking(question) })).choices[0].message.tool_calls).toBeUndefined()
  })

  it('quotes the result of a tool, and calls no further tool', async () => {
    const tool_calls = [{ id: '1', type: 'function', function: { name: 'get_quote', arguments: '{}' } }]
    const messages = [
      ...asking('How much is $AAPL?'),
      { role: 'assistant', content: null, tool_calls },
      { role: 'tool', tool_call_id: '1', content: 'AAPL is at 10 USD' },
    ]
    const { message } = (await complete({ messages, tools: openAiTools })).choices[0]
    expect(message.content).toContain('> AAPL is at 10 USD')
    expect(message.tool_calls).toBeUndefined()
  })

  it('returns the same embedding for the same text, and requires an input', async () => {
    const embed = (body: object) => api.post('/v1/embeddings', { model: 'm', ...body })
    const [one, again] = [await embed({ input: 'Hello' }), await embed({ input: 'Hello' })]
    expect([one.status, one.body]).toMatchObject([200, { object: 'list', data: [{ embedding: expect.any(Array) }] }])
    expect(again.body).toEqual(one.body)
    expect((await embed({})).status).toBe(400)
  })

  it('gives the same answers in Anthropic’s format, streamed', async () => {
    const tools = [{ name: 'get_quote', input_schema: parameters('symbol') }]
    const ask = async (messages: object[]) => {
      const answer = await api.open('POST', '/v1/messages', { body: { model: 'm', stream: true, messages, tools } })
      return (await collect(readEvents(answer))).map(({ data }) => JSON.parse(data))
    }
    const called = await ask(asking('How much is $AAPL?'))
    expect(called.find(({ content_block: block }) => block?.type === 'tool_use')).toMatchObject({
      content_block: { name: 'get_quote', input: {} },
    })
    expect(called.map(({ delta }) => delta?.partial_json ?? '').join('')).toBe('{"symbol":"AAPL"}')
    expect(called.find(({ type }) => type === 'message_delta').delta.stop_reason).toBe('tool_use')
    const told = await ask([
      ...asking('How much is $AAPL?'),
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'get_quote', input: { symbol: 'AAPL' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'AAPL is at 10 USD' }] },
    ])
    expect(told.map(({ delta }) => delta?.text ?? '').join('')).toContain('> AAPL is at 10 USD')
  })

  it('returns a valid image in both request formats', async () => {
    const { body } = await api.post('/v1/images/generations', { model: 'm', prompt: 'A boat' })
    const { data } = body as { data: [{ b64_json: string }] }
    const bytes = Buffer.from(data[0].b64_json, 'base64')
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 512])
    expect(bytes.toString('latin1')).toContain('A demo picture')
    const { message } = (await complete({ messages: asking('A boat'), modalities: ['image', 'text'] })).choices[0]
    expect(message.images).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data[0].b64_json}` } },
    ])
  })

  it('refuses a malformed request', async () => {
    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1/images/generations']) {
      expect((await api.post(path, { nothing: true })).status).toBe(400)
    }
  })
})
