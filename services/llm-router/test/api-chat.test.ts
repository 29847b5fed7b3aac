import { apiErrorSchema, apiRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { keyPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

const hello = { model: 'gpt', messages: [{ role: 'user' as const, content: 'Hello' }] }
const whole = expect.stringMatching(/^\d+$/)
const sixHeaders = Object.fromEntries(
  ['requests', 'tokens'].flatMap((of) => [
    [`x-ratelimit-limit-${of}`, whole],
    [`x-ratelimit-remaining-${of}`, whole],
    [`x-ratelimit-reset-${of}`, expect.stringMatching(/^\d+s$/)],
  ]),
)

describe('a program that calls /api/v1/chat/completions', () => {
  let given: GivenApi
  beforeAll(async () => {
    // One test waits for this timeout.
    given = await givenApi({ timeouts: { idle: 4_000 } })
  })
  afterAll(() => given.stop())
  beforeEach(() => {
    given.provider.reset()
    given.billing.refusal = undefined
    given.billing.holds.clear()
    given.billing.balance = 1_000
  })
  const chat = (body: object, key = keyPrincipal()) => given.as(key).post('/api/v1/chat/completions', body)
  const errorOf = ({ body }: { body: unknown }) => apiErrorSchema.parse(body).error
  const holds = () => [...given.billing.holds.values()]

  it('gets the provider’s answer byte for byte, its cost and the rest of the limits', async () => {
    given.provider.reply({ text: 'Good morning', usage: { inputTokens: 11, outputTokens: 7 } })
    const key = keyPrincipal()
    const { status, headers, body } = await chat({ ...hello, temperature: 0.5 }, key)
    expect([status, body]).toMatchObject([
      200,
      { object: 'chat.completion', choices: [{ message: { content: 'Good morning' } }], usage: { prompt_tokens: 11 } },
    ])
    expect(headers).toMatchObject({
      ...sixHeaders,
      ...{ 'x-credits-charged': '5', 'x-credits-remaining': '995', 'openai-processing-ms': whole },
    })
    const [call] = given.provider.calls
    expect(call?.body).toMatchObject({ model: 'gpt-real', temperature: 0.5, max_completion_tokens: 8_192 })
    const generationId = headers['x-generation-id']
    const answerId = (body as { id: string }).id
    expect(await given.ended(key)).toEqual({
      ...{ generationId, keyId: key.keyId, userId: key.userId, model: 'gpt', outcome: 'complete', charge: 5 },
      usage: { inputTokens: 11, outputTokens: 7, estimated: false },
      ...{ responseMs: expect.any(Number), answerId },
    })
    await expect
      .poll(holds)
      .toMatchObject([{ generationId, keyId: key.keyId, source: 'key', model: 'gpt', settled: 5 }])
  })

  it('gets the provider’s stream byte for byte, with usage figures only on request', async () => {
    const script = { chunks: ['Grüße', ' aus', ' Köln'], usage: { inputTokens: 3, outputTokens: 9 }, splitUtf8: true }
    given.provider.reply(script, { ...script, crlf: true })
    const keys = [keyPrincipal(), keyPrincipal()] as const
    const asked = await chat({ ...hello, stream: true, stream_options: { include_usage: true } }, keys[0])
    const unasked = await chat({ ...hello, stream: true }, keys[1])
    expect(asked.headers['content-type']).toContain('text/event-stream')
    expect(asked.text).toMatch(/"usage":\{"prompt_tokens":3.*data: \[DONE\]\n\n$/s)
    expect(unasked.text).toMatch(/data: \[DONE\]\r\n\r\n$/)
    expect(unasked.text).not.toContain('"usage"')
    for (const { text } of [asked, unasked]) {
      const deltas = [...text.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)
      expect(deltas.join('')).toBe('Grüße aus Köln')
    }
    const usage = { inputTokens: 3, outputTokens: 9, estimated: false }
    for (const key of keys) expect(await given.ended(key)).toMatchObject({ usage, charge: 5 })
  })

  it('cannot set the destination, the headers or the price of the call', async () => {
    const hostile = {
      ...{ api_base: 'http://evil.test', base_url: 'http://evil.test', extra_headers: { 'x-evil': '1' }, best_of: 20 },
      ...{ max_tokens: 1e9, logprobs: true, user: 'me', service_tier: 'priority', custom: { kept: true } },
      logit_bias: { 50256: -100 },
    }
    expect((await chat({ ...hello, ...hostile })).status).toBe(200)
    const [call] = given.provider.calls
    expect(call?.headers['x-evil']).toBeUndefined()
    expect(call?.body).toEqual({
      ...hello,
      ...{ model: 'gpt-real', max_tokens: 8_192, logprobs: true, user: 'me', custom: { kept: true } },
      logit_bias: { 50256: -100 },
    })
  })

  it('reaches a provider that knows only the older names of the system and the token limit, and no null', async () => {
    const newer = { max_completion_tokens: 7, stop: null, tools: null }
    const messages = [{ role: 'developer', content: 'Be brief' }, ...hello.messages]
    expect((await chat({ ...newer, model: 'v3', messages })).status).toBe(200)
    const [call] = given.provider.calls
    expect(call?.body).toEqual({
      ...{ model: 'deepseek-chat', max_tokens: 7 },
      messages: [{ role: 'system', content: 'Be brief' }, ...hello.messages],
    })
  })

  it('returns the result of a custom tool, whose call is passed on unchanged, or left out in another dialect', async () => {
    const call = { id: 'call_1', type: 'custom', custom: { name: 'edit', input: 'x' } }
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'done' },
    ]
    for (const model of ['gpt', 'claude']) expect((await chat({ model, messages })).status).toBe(200)
    const [relayed, translated] = given.provider.calls
    expect([relayed?.body.messages, translated?.body.messages]).toEqual([messages, hello.messages])
  })

  it.each([
    ['n', { n: 50 }],
    ['n', { n: '1' }],
    ['messages', { messages: 'Hello' }],
    ['messages.0.role', { messages: [{ role: 'wizard', content: 'x' }] }],
    ['messages.0.content', { messages: [{ role: 'user' }] }],
    ['messages.0.content', { messages: [{ role: 'system', content: null }, ...hello.messages] }],
    ['messages.1.tool_call_id', { messages: [...hello.messages, { role: 'tool', content: 'x' }] }],
    [
      'messages.0.content.0.image_url.url',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }] },
    ],
    ['max_tokens', { max_tokens: -1 }],
    ['temperature', { temperature: 'hot' }],
    ['stream', { stream: 'yes' }],
    ['stop.0', { stop: [1] }],
    ['tools', { tools: {} }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['reasoning_effort', { reasoning_effort: 'endless' }],
    ['logit_bias', { logit_bias: { 50256: 101 } }],
    ['logit_bias', { logit_bias: { 50256: 'much' } }],
    ['logit_bias', { logit_bias: Object.fromEntries(Array.from({ length: 1_025 }, (_, token) => [token, 1])) }],
    ['messages.0.tool_calls.0.function', { messages: [{ role: 'assistant', tool_calls: [{ id: 'call_1' }] }] }],
  ])('is refused for the field %s, and nothing is called or held', async (param, wrong) => {
    const answer = await chat({ ...hello, ...wrong })
    expect(answer.status).toBe(400)
    expect(errorOf(answer)).toMatchObject({ param, type: 'invalid_request_error', code: 'invalid_request_error' })
    expect(answer.headers).toMatchObject(sixHeaders)
    expect([given.provider.calls, holds()]).toEqual([[], []])
  })

  it.each(['GPT', 'gpt ', 'gpt-real', 'ｇｐｔ', 'nothing'])('gets an error for the unknown model %j', async (model) => {
    const answer = await chat({ ...hello, model })
    expect([answer.status, errorOf(answer)]).toMatchObject([404, { code: 'model_not_found', param: 'model' }])
    expect([given.provider.calls, holds()]).toEqual([[], []])
  })

  it('is refused a model disabled by an admin, which is in no list', async () => {
    const { id: shut } = await given.model({ id: newId(), enabled: false })
    const answer = await chat({ ...hello, model: shut })
    expect([answer.status, errorOf(answer)]).toMatchObject([403, { code: 'model_locked' }])
    expect((await chat({ ...hello, model: shut }, keyPrincipal({ rights: { isAdmin: true } }))).status).toBe(200)
    const { body } = await given.as(keyPrincipal()).call(apiRoutes.models)
    expect(body.data.map(({ id }) => id)).toEqual(expect.arrayContaining(['gpt', 'claude', 'v3']))
    expect(body.data.map(({ id }) => id)).not.toContain(shut)
    const one = await given.as(keyPrincipal()).call(apiRoutes.model, { params: { id: shut } })
    expect([one.status, errorOf(one)]).toMatchObject([404, { code: 'model_not_found' }])
  })

  it('is told when credits or the plan’s requests are used up or billing is unavailable, and when to retry', async () => {
    given.billing.refusal = { status: 402, code: 'insufficient_credits' }
    const poor = await chat(hello)
    expect([poor.status, errorOf(poor)]).toMatchObject([
      402,
      { code: 'insufficient_quota', type: 'insufficient_quota' },
    ])
    expect(poor.headers).toMatchObject({ ...sixHeaders, 'x-should-retry': 'false' })
    given.billing.refusal = { status: 429, code: 'rate_limited', headers: { 'retry-after': '7' } }
    const quick = await chat(hello)
    expect([quick.status, errorOf(quick)]).toMatchObject([429, { code: 'rate_limit_exceeded' }])
    expect(quick.headers).toMatchObject({ 'retry-after': '7', 'retry-after-ms': '7000' })
    given.billing.refusal = { status: 503, code: 'unavailable' }
    const away = await chat(hello)
    expect([away.status, errorOf(away)]).toMatchObject([503, { code: 'unavailable', type: 'server_error' }])
    expect(away.headers['retry-after']).toBeDefined()
    expect(given.provider.calls).toEqual([])
  })

  it.each([
    ['a page', { garbage: 'page' as const }],
    ['an error frame', { text: 'x', errorFrameAfter: 0 }],
    ['nothing', { endAfterChunks: 0, text: 'x' }],
    ['a status of 500', { status: 500 }],
  ])('gets 502 and no charge when the provider of a stream answers with %s', async (_what, script) => {
    const key = keyPrincipal()
    given.provider.always(script)
    const answer = await chat({ ...hello, stream: true }, key)
    expect([answer.status, errorOf(answer)]).toMatchObject([502, { code: 'provider_error', type: 'server_error' }])
    expect(answer.text).not.toContain('secret-upstream-detail')
    expect(await given.ended(key)).toMatchObject({ outcome: 'error', charge: 0 })
    await expect.poll(holds).toMatchObject([{ settled: 0 }])
  })

  it('gets 504 when the first token does not arrive in time', async () => {
    const hasty = await givenApi({ timeouts: { firstToken: 2_000 } })
    hasty.provider.always({ hang: 'before-first' })
    const answer = await hasty.as(keyPrincipal()).post('/api/v1/chat/completions', { ...hello, stream: true })
    expect(answer).toMatchObject({ status: 504 })
    await hasty.stop()
  })

  it.each([
    ['is cut', { cutAfterChunks: 1 }],
    ['ends early', { endAfterChunks: 1 }],
    ['reports an error', { errorFrameAfter: 1 }],
    ['falls silent', { hang: { after: 1 } }],
    ['turns into bytes that are no text', { garbage: 'utf8' as const }],
    ['turns into an event that is no JSON', { garbage: 'json' as const }],
  ])(
    'gets an error event, then the end, when an answer %s after its first piece, and is charged for it',
    async (_how, script) => {
      const key = keyPrincipal()
      given.provider.reply({ chunks: ['One', ' two'], ...script })
      const { status, text } = await chat({ ...hello, stream: true }, key)
      expect(status).toBe(200)
      expect(text).toContain('"content":"One"')
      const last = text.trimEnd().split('\n\n').at(-1) ?? ''
      expect(apiErrorSchema.safeParse(JSON.parse(last.replace(/^data: /, ''))).success, last).toBe(true)
      expect(text).not.toContain('secret-upstream-detail')
      expect(await given.ended(key)).toMatchObject({ outcome: 'interrupted', charge: 5, usage: { estimated: true } })
    },
  )

  it('is told that its request is invalid when the provider says so, without the provider’s text', async () => {
    given.provider.reply({ status: 400, body: '{"error":{"message":"secret-upstream-detail"}}' })
    const answer = await chat(hello)
    expect([answer.status, errorOf(answer)]).toMatchObject([400, { code: 'invalid_request_error' }])
    expect(answer.text).not.toContain('secret-upstream-detail')
  })

  it('is not charged for an empty answer', async () => {
    given.provider.reply({ text: '', usage: { inputTokens: 3, outputTokens: 0 } })
    const { status, headers } = await chat(hello)
    expect([status, headers['x-credits-charged']]).toEqual([200, '0'])
    await expect.poll(holds).toMatchObject([{ settled: 0 }])
  })

  it('that disconnects cancels the provider’s call, and is charged for what was sent', async () => {
    const key = keyPrincipal()
    given.provider.reply({ chunks: ['One', ' two'], hang: { after: 1 } })
    const leave = new AbortController()
    const body = { ...hello, stream: true }
    const open = await given
      .as(key)
      .open('POST', '/api/v1/chat/completions', { raw: JSON.stringify(body), signal: leave.signal })
    for await (const _piece of open.body) break
    leave.abort()
    await given.provider.aborted(1)
    expect(await given.ended(key)).toMatchObject({ outcome: 'stopped', charge: 5, usage: { outputTokens: 1 } })
    await expect.poll(holds).toMatchObject([{ settled: 5 }])
  })

  it('that disconnects from an answer that is charged anyway leaves it to be read to its end', async () => {
    const { id: model } = await given.model({ id: newId(), provider: 'google', creditsPerMessage: 3 })
    const key = keyPrincipal()
    const usage = { inputTokens: 2, outputTokens: 40 }
    // Continues long after its caller has left.
    given.provider.reply({ chunks: Array.from({ length: 40 }, () => 'one '), delayMs: 10, usage })
    const leave = new AbortController()
    const raw = JSON.stringify({ ...hello, model, stream: true })
    const open = await given.as(key).open('POST', '/api/v1/chat/completions', { raw, signal: leave.signal })
    for await (const _piece of open.body) break
    leave.abort()
    expect(await given.ended(key)).toMatchObject({
      ...{ outcome: 'stopped', charge: 3, usage: { ...usage, estimated: false } },
    })
    expect(given.provider.calls[0]?.abortedAt).toBeUndefined()
  })

  it('gets its answer if billing becomes unavailable meanwhile, and is charged by the recorded end', async () => {
    const key = keyPrincipal()
    let proceed: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      proceed = resolve
    })
    given.provider.reply({ chunks: ['One', ' two'], pause: { after: 1, until } })
    const answer = chat({ ...hello, stream: true }, key)
    await given.provider.call(1)
    given.billing.isAway = true
    proceed()
    expect((await answer).text).toMatch(/" two".*\[DONE\]/s)
    expect(await given.ended(key)).toMatchObject({ outcome: 'complete', charge: 5 })
    expect((await chat(hello)).status).toBe(503)
    given.billing.isAway = false
    expect((await chat(hello)).status).toBe(200)
  })

  it.each([
    [9, 9],
    [12, 10],
  ])(
    'may get an answer of a fallback model, at the lower of both prices: of %i and 10 credits %i',
    async (asked, charge) => {
      const { id: failing } = await given.model({
        id: newId(),
        provider: 'openai',
        apiModelName: 'failing-real',
        creditsPerMessage: asked,
        fallbackModels: ['claude'],
      })
      given.provider.always({ status: 401 }, ({ model }) => model === 'failing-real')
      const key = keyPrincipal()
      const { status, headers, body } = await chat({ ...hello, model: failing }, key)
      const answer = { model: failing, choices: [{ message: { content: 'You said: Hello' } }] }
      expect([status, body]).toMatchObject([200, answer])
      expect(headers['x-credits-charged']).toBe(`${charge}`)
      expect(await given.ended(key)).toMatchObject({ model: 'claude', charge })
    },
  )

  it('is admitted exactly 100 times of 200 at once at a limit of 100, and each refusal has a time to retry', async () => {
    const key = keyPrincipal({ tier: 5, customLimits: { requests: 100, windowMinutes: 1 } })
    const answers = await Promise.all(Array.from({ length: 200 }, () => chat(hello, key)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
    expect(refused).toHaveLength(100)
    expect(refused[0]?.headers).toMatchObject({
      ...sixHeaders,
      ...{ 'retry-after': whole, 'retry-after-ms': whole, 'x-ratelimit-remaining-requests': '0' },
    })
  })

  it.each([
    [1, 10],
    [2, 20],
    [3, 50],
    [4, 100],
  ] as const)('of tier %i may call %i times where the base limit is 10', async (tier, limit) => {
    const other = await givenApi()
    other.settings.rateLimits.apiV1 = { windowMinutes: 60, maxRequests: 10 }
    const { headers } = await other.as(keyPrincipal({ tier })).post('/api/v1/chat/completions', hello)
    expect(headers).toMatchObject({
      'x-ratelimit-limit-requests': `${limit}`,
      'x-ratelimit-remaining-requests': `${limit - 1}`,
    })
    await other.stop()
  })

  it('has tokens reserved before the call, and gets unused ones back', async () => {
    const limits = { maxTokens: 600, tokensPerMinute: 1_000, creditsPerMessage: 0 }
    const { id: tight } = await given.model({ id: newId(), provider: 'openai', ...limits })
    let proceed: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      proceed = resolve
    })
    given.provider.reply({ text: 'x', usage: { inputTokens: 1, outputTokens: 4 }, pause: { after: 0, until } })
    const body = { ...hello, model: tight, stream: true }
    const [first] = [chat(body)]
    await given.provider.call(1)
    const second = await chat(body)
    expect([second.status, errorOf(second)]).toMatchObject([429, { type: 'tokens', code: 'rate_limit_exceeded' }])
    proceed()
    expect((await first).status).toBe(200)
    const third = await chat({ ...body, max_tokens: 100 })
    expect(third.status).toBe(200)
    // 5 used, plus a reservation of 100 and the prompt.
    expect(Number(third.headers['x-ratelimit-remaining-tokens'])).toBeGreaterThan(800)
  })

  it('has tokens back that were reserved for a call which was refused or failed', async () => {
    const limits = { maxTokens: 600, tokensPerMinute: 1_000, creditsPerMessage: 1 }
    const { id: tight } = await given.model({ id: newId(), provider: 'openai', ...limits })
    const body = { ...hello, model: tight }
    given.billing.refusal = { status: 402, code: 'insufficient_credits' }
    expect((await chat(body)).status).toBe(402)
    given.billing.refusal = undefined
    given.provider.reply({ status: 401 })
    expect((await chat(body)).status).toBe(502)
    expect((await chat(body)).status).toBe(200)
  })

  it('of an admin is told that it costs nothing', async () => {
    const { headers } = await chat(hello, keyPrincipal({ rights: { isAdmin: true } }))
    expect(holds()).toMatchObject([{ unlimited: true }])
    const { balance } = given.billing
    expect(headers).toMatchObject({ 'x-credits-charged': '0', 'x-credits-remaining': `${balance}` })
  })

  it('is refused without a key, even with an admin’s session', async () => {
    const answer = await given.admin.post('/api/v1/chat/completions', hello)
    expect([answer.status, errorOf(answer)]).toMatchObject([401, { code: 'invalid_api_key' }])
    expect((await fetch(`${given.url}/api/v1/models`)).status).toBe(401)
  })
})
