import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiClient, collect, type FakeProvider, readEvents, startFakeProvider, tinyPng } from '../src/index.ts'

let provider: FakeProvider
beforeEach(async () => {
  provider = await startFakeProvider()
})
afterEach(() => provider.close())

const body = { model: 'm', stream: true, messages: [{ role: 'user', content: 'grüß dich' }] }
const open = (path = '/v1/chat/completions', sent: object = body) =>
  apiClient(provider.url).open('POST', path, { body: sent })

async function openaiText(sent: object = body): Promise<string> {
  const events = await collect(readEvents(await open('/v1/chat/completions', sent)))
  expect(events.at(-1)?.data).toBe('[DONE]')
  return events
    .slice(0, -1)
    .map((event) => JSON.parse(event.data).choices[0]?.delta.content ?? '')
    .join('')
}

describe('the fake provider', () => {
  test('echoes the last message in both formats', async () => {
    expect(await openaiText()).toBe('You said: grüß dich')
    const events = await collect(readEvents(await open('/v1/messages')))
    const deltas = events.map((event) => JSON.parse(event.data)).filter((data) => data.type === 'content_block_delta')
    expect(deltas.map((data) => data.delta.text).join('')).toBe('You said: grüß dich')
    expect(provider.calls.map((call) => call.wire)).toEqual(['openai', 'anthropic'])
  })

  test('answers in one piece without stream', async () => {
    const answer = await apiClient(provider.url).post('/v1/messages', { ...body, stream: false })
    expect(answer.body).toMatchObject({
      content: [{ type: 'text', text: 'You said: grüß dich' }],
      stop_reason: 'end_turn',
    })
  })

  test('takes queued scripts in order, then rules, then the echo', async () => {
    provider.reply({ text: 'one' }, { text: 'two' })
    provider.always({ text: 'ruled' }, (request) => request.model === 'other')
    const said = [
      await openaiText(),
      await openaiText(),
      await openaiText({ ...body, model: 'other' }),
      await openaiText(),
    ]
    expect(said).toEqual(['one', 'two', 'ruled', 'You said: grüß dich'])
  })

  test('survives split characters and CR LF', async () => {
    provider.reply({ text: 'héllo 🌍 wörld', splitUtf8: true, crlf: true })
    expect(await openaiText()).toBe('héllo 🌍 wörld')
  })

  test('reports usage only on request', async () => {
    provider.always({ text: 'hi', usage: { inputTokens: 3, outputTokens: 1 } })
    const asked = { ...body, stream_options: { include_usage: true } }
    const usages = async (sent: object) =>
      (await collect(readEvents(await open('/chat/completions', sent)))).filter((event) => event.data.includes('usage'))
    expect(await usages(asked)).toHaveLength(1)
    expect(await usages(body)).toHaveLength(0)
  })

  test('records when its client disconnected', async () => {
    provider.reply({ text: 'one two', hang: { after: 1 } })
    const answer = await open()
    await provider.call(1)
    answer.body.destroy()
    const call = await provider.aborted(1)
    expect(call.abortedAt).toBeGreaterThan(call.startedAt)
    expect(call.finishedAt).toBeUndefined()
  })

  test('fails with a status, or by cutting the connection', async () => {
    provider.reply({ status: 429, headers: { 'retry-after': '7' } }, { text: 'one two three', cutAfterChunks: 1 })
    const refused = await open()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7'])
    await refused.body.dump()
    await expect(collect(readEvents(await open()))).rejects.toThrow()
    expect(provider.calls[1]?.sentChunks).toBe(1)
  })

  test('calls tools in both formats, in chunks', async () => {
    const toolCalls = [
      { id: 'a', name: 'look', parameters: { at: 'it' } },
      { name: 'odd', pieces: ['{"x', '": '], index: null },
    ]
    provider.reply({ toolCalls }, { toolCalls })
    const deltas = await collect(readEvents(await open()))
    const parts = deltas.flatMap(({ data }) =>
      data === '[DONE]' ? [] : (JSON.parse(data).choices[0].delta.tool_calls ?? []),
    )
    expect(parts.map((part) => [part.index, part.id, part.function.name, part.function.arguments])).toEqual([
      [0, 'a', 'look', '{"at":'],
      [0, undefined, undefined, '"it"}'],
      [undefined, undefined, 'odd', '{"x'],
      [undefined, undefined, undefined, '": '],
    ])
    const events = (await collect(readEvents(await open('/v1/messages')))).map(({ data }) => JSON.parse(data))
    expect(events.flatMap(({ content_block: block }) => (block ? [[block.type, block.id, block.name]] : []))).toEqual([
      ['tool_use', 'a', 'look'],
      ['tool_use', 'toolu_1', 'odd'],
    ])
    expect(events.map(({ delta }) => delta?.partial_json ?? '').join('|')).toContain('{"at":|"it"}')
  })

  test('returns images, and records prompts uniformly for all formats', async () => {
    provider.reply({}, { image: { url: 'https://elsewhere.example/a.png' } })
    const ask = (path: string, sent: object) => apiClient(provider.url).post(path, sent)
    const make = async () => (await ask('/v1/images/generations', { model: 'm', prompt: 'A boat' })).body
    expect(await make()).toMatchObject({ data: [{ b64_json: tinyPng }] })
    expect(await make()).toMatchObject({ data: [{ url: 'https://elsewhere.example/a.png' }] })
    await ask('/v1/chat/completions', {
      tools: [{ type: 'function', function: { name: 'look' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [{ id: '1', function: { name: 'look', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: '1', content: 'seen' },
      ],
    })
    await ask('/v1/messages', {
      tools: [{ name: 'look', input_schema: {} }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
              title: 'a.pdf',
            },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'seen' }] },
      ],
    })
    expect(provider.calls[0]?.prompt.messages).toMatchObject([{ role: 'user', text: 'A boat' }])
    for (const { prompt } of provider.calls.slice(2)) {
      expect(prompt.tools.map(({ name }) => name)).toEqual(['look'])
      const [question, call, result] = prompt.messages
      expect(question).toMatchObject({ role: 'user', text: 'See' })
      expect(question?.files).toMatchObject([
        { type: 'image/png', base64: 'AAAA' },
        { type: 'application/pdf', base64: 'BBBB', name: 'a.pdf' },
      ])
      expect(call?.calls).toEqual([{ id: '1', name: 'look', arguments: '{}' }])
      expect(result?.results).toEqual([{ id: '1', text: 'seen' }])
    }
  })
})
