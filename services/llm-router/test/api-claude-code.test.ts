import { keyPrincipal, tinyPng } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

let given: GivenApi
beforeAll(async () => {
  given = await givenApi()
  await given.model({ id: 'sees', provider: 'openai', supportsTools: true, supportsImageAttachments: true })
  await given.model({ id: 'thinks', provider: 'openai', supportsTools: true, supportsThinking: true })
})
afterAll(() => given.stop())
beforeEach(() => given.provider.reset())
const send = (path: string, body: object, key = keyPrincipal()) => given.as(key).post(`/api/v1/${path}`, body)
const sent = () => given.provider.calls.at(-1)?.body as unknown as Record<string, unknown>
const prompt = () => given.provider.calls.at(-1)?.prompt

describe('Claude Code', () => {
  /** As it sends it, with shorter texts. */
  const asked = (model: string) => ({
    model,
    max_tokens: 128_000,
    thinking: { type: 'adaptive', display: 'omitted' },
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    output_config: { effort: 'high' },
    metadata: { user_id: JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(120) }) },
    system: [{ type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      {
        role: 'system',
        content: [{ type: 'text', text: '# Environment', cache_control: { type: 'ephemeral' } }],
        output_config: { effort: 'low' },
      },
    ],
    tools: [
      { name: 'Bash', description: 'Runs a command', input_schema: { type: 'object', properties: {} } },
      { name: 'Later', description: 'Is loaded later', input_schema: { type: 'object' }, defer_loading: true },
    ],
  })

  it('has its instructions within a conversation passed on to Anthropic unchanged', async () => {
    expect((await send('messages', asked('claude'))).status).toBe(200)
    const { messages, tools, context_management, output_config, metadata } = asked('claude')
    expect(sent()).toMatchObject({ messages, tools, context_management, output_config, metadata })
  })

  it('has its instructions within a conversation translated for other providers, and its effort for models that reason', async () => {
    expect((await send('messages', asked('gpt'))).status).toBe(200)
    expect(prompt()?.messages.map(({ role, text }) => [role, text])).toEqual([
      ['system', 'You are an agent.'],
      ['user', 'Hello'],
      ['system', '# Environment'],
    ])
    expect(sent()).not.toHaveProperty('reasoning_effort')
    // OpenAI refuses a user of more than 64 characters.
    expect(sent()).toMatchObject({ user: expect.stringMatching(/^[0-9a-f]{64}$/) })
    for (const [effort, wanted] of [
      ['low', 'low'],
      ['high', 'high'],
      ['max', 'high'],
    ]) {
      await send('messages', { ...asked('thinks'), output_config: { effort } })
      expect(sent()).toMatchObject({ reasoning_effort: wanted })
    }
  })

  it('can change from a model of another provider to one of Anthropic, which gets no thinking but its own', async () => {
    const said = (signature: string) => [
      { type: 'thinking', thinking: 'Hm', signature },
      { type: 'text', text: 'Good day' },
    ]
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: said('') },
      { role: 'user', content: 'And now?' },
      { role: 'assistant', content: said('of Anthropic') },
      { role: 'user', content: 'Go on' },
    ]
    await send('messages', { ...asked('claude'), messages })
    const contents = (sent() as { messages: { content: unknown }[] }).messages.map(({ content }) => content)
    expect(contents).toMatchObject(messages.map(({ content }, nth) => (nth === 1 ? said('').slice(1) : content)))
    expect(contents[1]).toHaveLength(1)
    const silent = [messages[0], { role: 'assistant', content: said('').slice(0, 1) }, messages[2]]
    await send('messages', { ...asked('claude'), messages: silent })
    expect(sent()).toMatchObject({ messages: [messages[0], messages[2]] })
  })

  it('may offer more tools than OpenAI takes', async () => {
    const tools = Array.from({ length: 300 }, (_, nth) => ({ name: `tool_${nth}`, input_schema: { type: 'object' } }))
    expect((await send('messages', { ...asked('claude'), tools })).status).toBe(200)
    expect(prompt()?.tools).toHaveLength(300)
  })

  it.each([
    [
      { max_tokens: 32_000, budget_tokens: 31_999 },
      { max_tokens: 8_192, thinking: { budget_tokens: 7_168 } },
    ],
    [
      { max_tokens: 32_000, budget_tokens: 2_000 },
      { max_tokens: 8_192, thinking: { budget_tokens: 2_000 } },
    ],
    [
      { max_tokens: 4_000, budget_tokens: 3_999 },
      { max_tokens: 4_000, thinking: { budget_tokens: 3_999 } },
    ],
  ])(
    'with the limits %j gets a thinking budget below the reduced limit',
    async ({ max_tokens, budget_tokens }, wanted) => {
      const thinking = { type: 'enabled', budget_tokens }
      expect((await send('messages', { ...asked('claude'), max_tokens, thinking })).status).toBe(200)
      expect(sent()).toMatchObject(wanted)
    },
  )

  it('of a model with few tokens does not think, instead of being refused', async () => {
    await given.model({ id: 'brief', provider: 'anthropic', sdkType: 'anthropic-sdk', maxTokens: 1_500 })
    await send('messages', { ...asked('brief'), thinking: { type: 'enabled', budget_tokens: 31_999 } })
    expect(sent()).toMatchObject({ max_tokens: 1_500, thinking: { type: 'disabled' } })
  })

  it('shows an image that a tool returned to models of other providers', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: tinyPng } }
    const { tools } = asked('sees')
    const messages = [
      { role: 'user', content: 'Look' },
      {
        role: 'assistant',
        content: ['a', 'b'].map((id) => ({ type: 'tool_use', id: `toolu_${id}`, name: 'Bash', input: {} })),
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_a', content: [image] },
          { type: 'tool_result', tool_use_id: 'toolu_b', content: 'done' },
        ],
      },
    ]
    expect((await send('messages', { model: 'sees', max_tokens: 100, messages, tools })).status).toBe(200)
    expect(prompt()?.messages.map(({ role, files }) => [role, files.length])).toEqual([
      ['user', 0],
      ['assistant', 0],
      ['tool', 0],
      ['tool', 0],
      ['user', 1],
    ])
  })

  it('gets an answer that matches its schema from models of every provider, also under the field’s earlier name', async () => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: { a: { type: 'string' } } } }
    for (const wanted of [{ output_config: { format } }, { output_format: format }]) {
      await send('messages', { ...asked('gpt'), ...wanted })
      const { schema } = format
      expect(sent()).toMatchObject({ response_format: { type: 'json_schema', json_schema: { schema } } })
      await send('messages', { ...asked('claude'), ...wanted })
      expect(sent()).toMatchObject(wanted)
    }
  })

  it.each([false, true])('may call tools whose names are too long for OpenAI, streamed: %s', async (stream) => {
    const names = ['read', 'send'].map((what) => `mcp__${'of_a_server_'.repeat(3)}_${what}_${'mail_'.repeat(8)}`)
    const tools = names.map((name) => ({ name, input_schema: { type: 'object' } }))
    const messages = [
      { role: 'user', content: 'Mail?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_a', name: names[0], input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_a', content: 'None' }] },
    ]
    const body = { ...asked('gpt'), tools, messages, tool_choice: { type: 'tool', name: names[1] }, stream }
    await send('messages', body)
    const [first = '', second = ''] = prompt()?.tools.map(({ name }) => name) ?? []
    for (const short of [first, second]) expect(short).toMatch(/^mcp__of_a_server[a-zA-Z0-9_-]{1,48}$/)
    expect(first).not.toBe(second)
    expect(prompt()?.messages.flatMap(({ calls }) => calls.map(({ name }) => name))).toEqual([first])
    expect(sent()).toMatchObject({ tool_choice: { function: { name: second } } })
    given.provider.reply({ toolCalls: [{ id: 'call_1', name: second, parameters: {} }] })
    const { text } = await send('messages', body)
    expect(text).toContain(`"name":"${names[1]}"`)
    expect(text).not.toContain(second)
    await send('messages', { ...body, model: 'claude' })
    expect(prompt()?.tools.map(({ name }) => name)).toEqual(names)
  })

  describe('counts the tokens of a prompt', () => {
    const { max_tokens, ...prompted } = asked('claude')
    const count = (body: object, key = keyPrincipal()) => send('messages/count_tokens', body, key)

    it('free of charge and of its requests', async () => {
      const key = keyPrincipal({ tier: 5, customLimits: { requests: 10, windowMinutes: 60 } })
      const { status, body, headers } = await count(prompted, key)
      expect([status, body]).toEqual([200, { input_tokens: expect.any(Number) }])
      expect(headers).toMatchObject({ 'x-ratelimit-limit-requests': '10', 'x-ratelimit-remaining-requests': '9' })
      const longer = [{ role: 'user', content: 'word '.repeat(4_000) }]
      const more = await count({ ...prompted, messages: longer }, key)
      const tokens = (answer: { body: unknown }) => (answer.body as { input_tokens: number }).input_tokens
      expect(tokens(more) - tokens({ body })).toBeGreaterThan(3_000)
      expect([
        given.provider.calls,
        [...given.billing.holds.values()].filter(({ keyId }) => keyId === key.keyId),
      ]).toEqual([[], []])
      expect((await send('messages', asked('claude'), key)).headers['x-ratelimit-remaining-requests']).toBe('9')
    })

    it('within limits of their own, with errors in Anthropic’s form', async () => {
      const key = keyPrincipal({ tier: 5, customLimits: { requests: 10, windowMinutes: 60 } })
      expect((await count({ ...prompted, model: 'nothing' }, key)).body).toMatchObject({
        ...{ type: 'error', error: { type: 'not_found_error' } },
      })
      expect((await count({ ...prompted, messages: [] }, key)).status).toBe(400)
      for (let nth = 0; nth < 10; nth += 1) expect((await count(prompted, key)).status).toBe(200)
      const refused = await count(prompted, key)
      expect([refused.status, refused.body]).toMatchObject([429, { error: { type: 'rate_limit_error' } }])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    })
  })
})
