import { text } from 'node:stream/consumers'
import {
  type CompletionBody,
  completionLineSchema,
  modelInternalRoutes,
  type PromptMessage,
  type PromptTool,
} from '@parley/contracts'
import { createServiceClient } from '@parley/kit'
import { tinyPng } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { completion, type GivenRouter, givenRouter, promptOf } from './given-router.ts'

let router: GivenRouter
const every = ['by-openai', 'by-fetch', 'by-anthropic'] as const
const senses = { supportsTools: true, supportsImageAttachments: true, supportsFileAttachments: true }
beforeAll(async () => {
  router = await givenRouter({ timeouts: { firstToken: 4_000, idle: 4_000, retryDelays: [1, 1] } })
  await router.model({ id: 'by-openai', sdkType: 'openai-sdk', ...senses })
  await router.model({ id: 'by-fetch', sdkType: 'fetch', ...senses })
  await router.model({ id: 'by-anthropic', provider: 'anthropic', sdkType: 'anthropic-sdk', ...senses })
  await router.model({ id: 'plain' })
  await router.model({ id: 'falls-back', apiModelName: 'falls-back', fallbackModels: ['plain'], ...senses })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

const tool = (name: string): PromptTool => ({
  name,
  description: `What ${name} does`,
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
})
const tools = [tool('web_search'), tool('quote')]
const calls = (lines: Awaited<ReturnType<typeof completion>>['lines']) =>
  lines.flatMap((line) => (line.type === 'tool' ? [line.call] : []))
/** A conversation with two concurrent calls and their results. */
const answered: PromptMessage[] = [
  { role: 'system', content: 'Be brief' },
  { role: 'user', content: 'How are both?' },
  {
    role: 'assistant',
    content: '',
    toolCalls: [
      { id: 'call.1', name: 'quote', arguments: '{"query":"AAPL"}' },
      { id: 'call.2', name: 'quote', arguments: '{"query":"TSLA"}' },
    ],
  },
  { role: 'tool', toolCallId: 'call.1', content: 'AAPL is 10' },
  { role: 'tool', toolCallId: 'call.2', content: 'TSLA is 20' },
]

describe.each(every)('tools by %s', (model) => {
  test('are offered, and several calls of one answer arrive complete, in order, before its end', async () => {
    router.provider.reply({
      text: 'Let me see. ',
      toolCalls: [
        { id: 'a', name: 'web_search', parameters: { query: 'größe "🌍"' } },
        { id: 'b', name: 'quote', parameters: { query: 'AAPL' } },
      ],
      splitUtf8: true,
    })
    const answer = await completion(router, model, { tools })
    for (const line of answer.lines) expect(completionLineSchema.parse(line)).toEqual(line)
    expect(calls(answer.lines)).toEqual([
      { id: 'a', name: 'web_search', arguments: '{"query":"größe \\"🌍\\""}' },
      { id: 'b', name: 'quote', arguments: '{"query":"AAPL"}' },
    ])
    expect(answer.text).toBe('Let me see. ')
    expect(answer.last).toMatchObject({ type: 'end', finishReason: 'tool_calls' })
    const { prompt, body } = await router.provider.call(1)
    expect(prompt.tools.map(({ name }) => name)).toEqual(['web_search', 'quote'])
    expect(JSON.stringify(body.tools)).toContain(JSON.stringify(tools[0]?.parameters.properties))
  })

  test('that are called at once open the answer, and keep it alive while their arguments arrive', async () => {
    const pieces = ['{"query":"', ...Array.from({ length: 15 }, () => 'x'.repeat(20)), '"}']
    router.provider.reply({ toolCalls: [{ id: 'a', name: 'quote', pieces }], delayMs: 300 })
    const answer = await completion(router, model, { tools })
    expect(JSON.parse(calls(answer.lines)[0]?.arguments ?? '').query).toHaveLength(300)
    expect(router.provider.calls).toHaveLength(1)
  })

  test('have their results returned to the model that called them', async () => {
    await completion(router, model, { messages: answered, tools })
    const { prompt } = await router.provider.call(1)
    expect(prompt.messages.flatMap((message) => message.calls.map((call) => JSON.parse(call.arguments)))).toEqual([
      { query: 'AAPL' },
      { query: 'TSLA' },
    ])
    expect(prompt.messages.flatMap(({ results }) => results.map(({ text }) => text))).toEqual([
      'AAPL is 10',
      'TSLA is 20',
    ])
    const [made, got] = [prompt.messages.flatMap((m) => m.calls), prompt.messages.flatMap((m) => m.results)]
    expect(got.map(({ id }) => id)).toEqual(made.map(({ id }) => id))
    if (model === 'by-anthropic') {
      // Its API requires alternating roles and both results in one message.
      expect(prompt.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    }
  })

  test('have no call when it was cut off inside its arguments', async () => {
    router.provider.reply({ toolCalls: [{ id: 'a', name: 'quote', pieces: ['{"que'] }], finishReason: 'length' })
    const cutByLimit = await completion(router, model, { tools })
    expect([calls(cutByLimit.lines), cutByLimit.last]).toMatchObject([[], { type: 'end', finishReason: 'length' }])
    router.provider.reply({ toolCalls: [{ id: 'a', name: 'quote', parameters: { query: 'x' } }], cutAfterChunks: 1 })
    const cut = await completion(router, model, { tools })
    expect([calls(cut.lines), cut.last]).toMatchObject([[], { type: 'error', code: 'provider_error' }])
  })

  test('have a call with invalid JSON passed on as the model wrote it', async () => {
    router.provider.reply({ toolCalls: [{ id: 'a', name: 'quote', pieces: ['{query: ', 'AAPL'] }] })
    const answer = await completion(router, model, { tools })
    expect(calls(answer.lines)).toEqual([{ id: 'a', name: 'quote', arguments: '{query: AAPL' }])
    // When it returns with its result, the provider gets valid arguments.
    const toolCalls = calls(answer.lines)
    const result = { role: 'tool', toolCallId: 'a', content: 'The arguments are no JSON' } as const
    const messages: PromptMessage[] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', toolCalls },
      result,
    ]
    expect((await completion(router, model, { tools, messages })).status).toBe(200)
    expect((await router.provider.call(2)).prompt.messages.flatMap((message) => message.calls)).toMatchObject([
      { arguments: '{}' },
    ])
  })

  test('have their calls counted where the provider gives no figures', async () => {
    router.provider.reply({
      toolCalls: [{ id: 'a', name: 'quote', parameters: { query: 'one two three' } }],
      usage: 'none',
    })
    const answer = await completion(router, model, { tools })
    expect(answer.last).toMatchObject({ usage: { estimated: true } })
    const usage = answer.last?.type === 'end' ? answer.last.usage : undefined
    expect(usage?.outputTokens).toBeGreaterThan(5)
    expect(usage?.inputTokens).toBeGreaterThan(50)
  })
})

describe('tool calls of servers with quirks', () => {
  test.each([
    [
      'skip numbers',
      [
        { id: 'a', index: 3 },
        { id: 'b', index: 7 },
      ],
    ],
    [
      'number every call alike',
      [
        { id: 'a', index: 0 },
        { id: 'b', index: 0 },
      ],
    ],
    [
      'number none',
      [
        { id: 'a', index: null },
        { id: 'b', index: null },
      ],
    ],
    ['give no ids', [{}, {}]],
    ['give one id twice', [{ id: 'a' }, { id: 'b' }]],
    ['give neither ids nor numbers', [{ index: null }, { index: null }]],
  ])('are told apart when they %s', async (_what, parts) => {
    router.provider.reply({
      toolCalls: parts.map((part, nth) => ({ ...part, name: 'quote', parameters: { query: `ticker ${nth}` } })),
      finishReason: 'stop',
    })
    const answer = await completion(router, 'by-openai', { tools })
    expect(calls(answer.lines).map((call) => JSON.parse(call.arguments).query)).toEqual(['ticker 0', 'ticker 1'])
    const ids = calls(answer.lines).map(({ id }) => id)
    expect(new Set(ids.filter((id) => id !== '')).size).toBe(2)
    expect(answer.last).toMatchObject({ finishReason: 'tool_calls' })
  })
})

describe('a model without tools', () => {
  test('is offered none, and reads earlier calls as text', async () => {
    const answer = await completion(router, 'plain', { messages: answered, tools })
    expect(answer.status).toBe(200)
    const { prompt, body } = await router.provider.call(1)
    expect(body.tools).toBeUndefined()
    expect(prompt.messages.flatMap((message) => [...message.calls, ...message.results])).toEqual([])
    expect(prompt.messages.map(({ text }) => text)).toEqual([
      'Be brief',
      'How are both?',
      'Result of quote:\nAAPL is 10',
      'Result of quote:\nTSLA is 20',
    ])
  })

  test('answers as a fallback with what it supports', async () => {
    router.provider.always({ status: 500 }, (request) => request.model === 'falls-back')
    const content = [
      { type: 'text', text: 'What is this?' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA', detail: 'auto' },
      { type: 'file', mimeType: 'application/pdf', data: 'BBBB', name: 'a "report".pdf' },
    ] as const
    const answer = await completion(router, 'falls-back', {
      messages: [{ role: 'user', content: [...content] }],
      tools,
    })
    expect(answer.lines[0]).toMatchObject({ type: 'start', model: 'plain' })
    const { body } = router.provider.calls.at(-1) ?? {}
    expect(body?.tools).toBeUndefined()
    expect(body?.messages).toEqual([
      {
        role: 'user',
        content:
          'What is this?\n\n[An image was attached here, which this model cannot see.]\n\n[The file "a \\"report\\".pdf" was attached here, which this model cannot read.]',
      },
    ])
  })
})

test('calls without results and results without calls are removed, because providers refuse them', async () => {
  const messages: PromptMessage[] = [
    { role: 'tool', toolCallId: 'lost', content: 'nobody asked' },
    { role: 'user', content: 'Hello' },
    {
      role: 'assistant',
      content: 'Let me see.',
      toolCalls: [
        { id: 'open', name: 'quote', arguments: '{}' },
        { id: 'done', name: 'quote', arguments: '{}' },
      ],
    },
    { role: 'tool', toolCallId: 'done', content: 'fine' },
    { role: 'tool', toolCallId: 'done', content: 'twice' },
    { role: 'user', content: 'And?' },
  ]
  for (const model of every) {
    router.provider.reset()
    await completion(router, model, { messages, tools })
    const { prompt } = await router.provider.call(1)
    expect(prompt.messages.flatMap((message) => message.calls.map(({ id }) => id))).toEqual(['done'])
    expect(prompt.messages.flatMap((message) => message.results)).toEqual([{ id: 'done', text: 'fine' }])
  }
})

test('a prompt whose model called a tool is continued by its generation alone, with its files, or else requested in full', async () => {
  const image = { type: 'image', mimeType: 'image/png', data: tinyPng, detail: 'low' } as const
  const question: PromptMessage = { role: 'user', content: [image, { type: 'text', text: 'How is this one?' }] }
  const toolCalls = [{ id: 'a', name: 'quote', arguments: '{"query":"AAPL"}' }]
  const more: PromptMessage[] = [
    { role: 'assistant', content: '', toolCalls },
    { role: 'tool', toolCallId: 'a', content: 'AAPL is 10' },
  ]
  router.provider.reply({ toolCalls: [{ id: 'a', name: 'quote', parameters: { query: 'AAPL' } }] })
  const first = await completion(router, 'by-openai', { generationId: 'kept', messages: [question], tools })
  const keptAt = new URL(router.url).host
  expect(first.last).toMatchObject({ type: 'end', finishReason: 'tool_calls', kept: true, keptAt })
  const continued = { messages: more, tools, after: 1 }
  const elsewhere = await completion(router, 'by-openai', { generationId: 'another', ...continued })
  expect([elsewhere.status, elsewhere.body]).toMatchObject([409, { code: 'conflict' }])
  const second = await completion(router, 'by-openai', { generationId: 'kept', ...continued })
  expect(second.last).toMatchObject({ type: 'end', finishReason: 'stop' })
  expect(second.last).not.toHaveProperty('kept')
  const { prompt } = await router.provider.call(2)
  expect(prompt.messages.map(({ role, files }) => [role, files.map(({ base64 }) => base64)])).toEqual([
    ['user', [tinyPng]],
    ['assistant', []],
    ['tool', []],
  ])
})

test('a prompt is continued at the replica that keeps it, even if their shared address leads to another one', async () => {
  const other = await givenRouter({ identity: router.identity })
  await other.model({ id: 'by-openai', sdkType: 'openai-sdk', ...senses })
  let shared = router.url
  const chat = createServiceClient({ self: 'chat', locate: () => shared, identity: router.identity })
  const ask = async (body: Partial<CompletionBody>, replica?: string) => {
    const lines = await text(
      await chat.open(modelInternalRoutes.complete, { body: promptOf('by-openai', { ...body, tools }), replica }),
    )
    return completionLineSchema.parse(JSON.parse(lines.trim().split('\n').at(-1) ?? ''))
  }
  try {
    router.provider.reply({ toolCalls: [{ id: 'a', name: 'quote', parameters: { query: 'AAPL' } }] })
    const first = await ask({ generationId: 'shared' })
    const { keptAt } = first.type === 'end' ? first : {}
    shared = other.url
    const more: Partial<CompletionBody> = {
      generationId: 'shared',
      after: 1,
      messages: [
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'quote', arguments: '{"query":"AAPL"}' }] },
        { role: 'tool', toolCallId: 'a', content: 'AAPL is 10' },
      ],
    }
    await expect(ask(more)).rejects.toMatchObject({ code: 'conflict' })
    expect(await ask(more, keptAt)).toMatchObject({ type: 'end', finishReason: 'stop' })
    const { prompt } = await router.provider.call(2)
    expect(prompt.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  } finally {
    await chat.close()
    await other.stop()
  }
})
