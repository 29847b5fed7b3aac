import { keyPrincipal, tinyPng } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

let given: GivenApi
beforeAll(async () => {
  given = await givenApi()
  await given.model({ id: 'sees', provider: 'openai', supportsTools: true, supportsImageAttachments: true })
})
afterAll(() => given.stop())
beforeEach(() => given.provider.reset())
const send = (path: string, body: object, key = keyPrincipal()) => given.as(key).post(`/api/v1/${path}`, body)
const sent = () => given.provider.calls.at(-1)?.body as unknown as Record<string, unknown>
const prompt = () => given.provider.calls.at(-1)?.prompt

/** The data of a stream's events. */
const eventsOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))

describe('Codex', () => {
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch'
  const tools = [
    {
      type: 'function',
      name: 'exec_command',
      description: 'Runs a command',
      strict: false,
      parameters: { type: 'object' },
    },
    {
      ...{ type: 'custom', name: 'apply_patch', description: 'Edits files' },
      format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
    },
    { type: 'web_search', external_web_access: false },
  ]
  const item = (role: string, text: string) => ({
    ...{ type: 'message', id: 'msg_1', role },
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  })
  const asked = (model: string, input: object[] = [item('developer', 'Be brief'), item('user', 'Hello')]) => ({
    ...{ model, stream: true, store: false, include: ['reasoning.encrypted_content'], parallel_tool_calls: true },
    ...{
      reasoning: { effort: 'medium' },
      text: { verbosity: 'low' },
      client_metadata: { thread_id: 't' },
      tools,
      input,
    },
  })

  it.each(['gpt', 'claude'])('calls a tool that takes plain text with the model %s', async (model) => {
    given.provider.reply({
      text: 'I edit',
      toolCalls: [{ id: 'call_1', name: 'apply_patch', parameters: { input: patch } }],
    })
    const events = eventsOf((await send('responses', asked(model))).text)
    expect(prompt()?.tools).toEqual([
      { name: 'exec_command', parameters: [] },
      { name: 'apply_patch', parameters: ['input'] },
    ])
    expect(JSON.stringify(sent())).toContain('start: begin_patch hunk+ end_patch')
    const call = { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: patch, status: 'completed' }
    expect(events.filter(({ type }) => type === 'response.output_item.done').at(-1)).toMatchObject({ item: call })
    expect(events.find(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject({ input: patch })
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { output: [{ type: 'message' }, call] },
    })
    const output = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Success' }
    await send('responses', asked(model, [item('user', 'Edit'), call, output]))
    const messages = prompt()?.messages ?? []
    expect(messages.flatMap(({ calls }) => calls)).toMatchObject([
      { id: 'call_1', name: 'apply_patch', arguments: JSON.stringify({ input: patch }) },
    ])
    expect(messages.flatMap(({ results }) => results)).toEqual([{ id: 'call_1', text: 'Success' }])
  })

  it('reads such a call in a whole response', async () => {
    given.provider.reply({
      reasoning: ['Hm'],
      toolCalls: [{ id: 'call_1', name: 'apply_patch', parameters: { input: patch } }],
    })
    const { body } = await send('responses', { ...asked('gpt'), stream: false })
    expect(body).toMatchObject({
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
        { type: 'custom_tool_call', call_id: 'call_1', input: patch },
      ],
    })
  })

  it('shows images that parallel tools returned', async () => {
    const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'view_image', arguments: '{}' })
    const image = { type: 'input_image', image_url: `data:image/png;base64,${tinyPng}` }
    const result = (id: string) => ({ type: 'function_call_output', call_id: id, output: [image] })
    const input = [item('user', 'Look'), call('call_1'), call('call_2'), result('call_1'), result('call_2')]
    expect((await send('responses', asked('sees', input))).status).toBe(200)
    expect(prompt()?.messages.map(({ role, files }) => [role, files.length])).toEqual([
      ['user', 0],
      ['assistant', 0],
      ['tool', 0],
      ['tool', 0],
      ['user', 2],
    ])
  })

  it('reads the model’s reasoning before its text', async () => {
    given.provider.reply({ reasoning: ['Let me', ' see'], text: 'Good day' })
    const events = eventsOf((await send('responses', asked('gpt'))).text)
    expect(events.map(({ type, item }) => (item as { type?: string } | undefined)?.type ?? type)).toEqual([
      ...['response.created', 'response.in_progress', 'reasoning', 'response.reasoning_summary_part.added'],
      ...['response.reasoning_summary_text.delta', 'response.reasoning_summary_text.delta'],
      ...['response.reasoning_summary_text.done', 'response.reasoning_summary_part.done', 'reasoning'],
      ...['message', 'response.content_part.added', 'response.output_text.delta', 'response.output_text.delta'],
      ...['response.output_text.done', 'response.content_part.done', 'message', 'response.completed'],
    ])
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, nth) => nth))
    expect(events.at(-1)).toMatchObject({
      response: {
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me see' }] },
          { type: 'message', content: [{ text: 'Good day' }] },
        ],
      },
    })
  })

  it('reads in the stream why a response broke off', async () => {
    given.provider.reply({ chunks: ['One', ' two'], errorFrameAfter: 1 })
    const [error, last] = eventsOf((await send('responses', asked('gpt'))).text).slice(-2)
    const message = 'The AI provider couldn’t answer. Please try again.'
    expect(error).toMatchObject({ type: 'error', code: 'provider_error', message, error: { message } })
    expect(last).toMatchObject({
      ...{ type: 'response.failed', sequence_number: expect.any(Number) },
      response: { id: expect.stringMatching(/^resp_/), status: 'failed', error: { code: 'server_error', message } },
    })
  })
})

describe('the AI SDK, which refers to what it was answered,', () => {
  const reference = { type: 'item_reference', id: 'msg_1' }
  const asked = (...items: object[]) => ({ model: 'gpt', input: [{ role: 'user', content: 'Weather?' }, ...items] })

  it('continues after calls, whose words alone are missing', async () => {
    const call = { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' }
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'rain' }
    const tools = [{ type: 'function', name: 'weather', parameters: { type: 'object' } }]
    expect((await send('responses', { ...asked(reference, call, result), tools })).status).toBe(200)
    expect(prompt()?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  it('is refused a conversation in which an answer is missing that is not stored', async () => {
    for (const items of [[reference], [reference, { role: 'user', content: 'And tomorrow?' }]]) {
      const { status, body } = await send('responses', asked(...items))
      expect([status, body]).toMatchObject([
        400,
        { error: { message: expect.stringContaining('“msg_1” isn’t stored') } },
      ])
    }
  })
})
