import { modelAdminRoutes, modelRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { guestPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { completion, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
beforeAll(async () => {
  // Short pauses, so that retries do not approach the deadline.
  router = await givenRouter({ timeouts: { firstToken: 5_000, idle: 4_000, retryDelays: [50, 100] } })
  await router.model({ id: 'spare', apiModelName: 'spare', creditsPerMessage: 1 })
  await router.model({ id: 'off', apiModelName: 'off', enabled: false })
  await router.model({ id: 'main', apiModelName: 'main', creditsPerMessage: 5, fallbackModels: ['off', 'spare'] })
  await router.model({ id: 'alone', apiModelName: 'alone' })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

const asked = () => router.provider.calls.map((call) => call.body.model)
const only = (name: string) => (request: { model?: string }) => request.model === name

describe('fallback', () => {
  test.each([
    ['is down', { status: 500 }, 3],
    ['has a wrong key', { status: 401 }, 1],
    ['hangs', { hang: 'before-first' }, 1],
  ] as const)('answers by the next enabled model, at its price, when the first %s', async (_what, script, tries) => {
    router.provider.always(script, only('main'))
    const answer = await completion(router, 'main')
    expect(answer.lines[0]).toEqual({ type: 'start', model: 'spare', provider: 'deepseek', creditsPerMessage: 1 })
    expect(answer.text).toBe('You said: Hello')
    expect(asked()).toEqual([...Array.from({ length: tries }, () => 'main'), 'spare'])
  })

  test('passes over a model that has become one of another type or has used up its minute', async () => {
    await router.model({ id: 'picture', apiModelName: 'picture' })
    await router.model({ id: 'busy', apiModelName: 'busy', requestsPerMinute: 1 })
    await router.model({ id: 'mixed', apiModelName: 'mixed', fallbackModels: ['picture', 'busy', 'spare'] })
    expect((await completion(router, 'busy')).status).toBe(200)
    router.provider.reset()
    const change = { params: { id: 'picture' }, body: { modelType: 'image' as const } }
    expect((await router.admin.call(modelAdminRoutes.update, change)).status).toBe(200)
    router.provider.always({ status: 401 }, only('mixed'))
    expect((await completion(router, 'mixed')).lines[0]).toMatchObject({ type: 'start', model: 'spare' })
    expect(asked()).toEqual(['mixed', 'spare'])
  })

  test('never happens after the first piece', async () => {
    router.provider.always({ chunks: ['one ', 'two'], cutAfterChunks: 1 }, only('main'))
    const answer = await completion(router, 'main')
    expect([answer.text, answer.last?.type]).toEqual(['one ', 'error'])
    expect(asked()).toEqual(['main'])
  })

  test('reports the first model’s failure when no model answers', async () => {
    router.provider.always({ status: 500 }, only('spare'))
    router.provider.always({ hang: 'before-first' }, only('main'))
    const answer = await completion(router, 'main')
    expect([answer.status, answer.body?.code]).toEqual([504, 'provider_timeout'])
  })
})

describe('deadlines', () => {
  const timeout = 'Response timeout. The AI model took too long to respond.'

  test.each(['before-headers', 'before-first'] as const)(
    'answer 504 when a provider hangs %s, and cancel it',
    async (hang) => {
      router.provider.reply({ hang })
      const answer = await completion(router, 'alone')
      expect([answer.status, answer.body]).toEqual([
        504,
        expect.objectContaining({ code: 'provider_timeout', error: timeout }),
      ])
      await router.provider.aborted(1)
      expect(router.provider.calls).toHaveLength(1)
    },
  )

  test('end a silent answer with its text and an error line', async () => {
    router.provider.reply({ chunks: ['one ', 'two'], hang: { after: 1 } })
    const answer = await completion(router, 'alone')
    expect(answer.text).toBe('one ')
    expect(answer.last).toMatchObject({ type: 'error', code: 'provider_timeout', error: timeout })
    await router.provider.aborted(1)
  })

  test('end an endless answer', async () => {
    const short = await givenRouter({ timeouts: { total: 1_500 } })
    try {
      await short.model({ id: 'endless' })
      short.provider.reply({ chunks: Array.from({ length: 10_000 }, () => 'x'), delayMs: 10 })
      const answer = await completion(short, 'endless')
      expect(answer.last).toMatchObject({ type: 'error', code: 'provider_timeout' })
      await short.provider.aborted(1)
    } finally {
      await short.stop()
    }
  })
})

describe('a refusal', () => {
  test('of an unknown, a locked and an image model happens without a call', async () => {
    const answers = [
      await completion(router, 'nobody'),
      await completion(router, 'off'),
      await completion(router, 'gpt-image-2'),
    ]
    expect(answers.map(({ status, body }) => [status, body?.code])).toEqual([
      [404, 'not_found'],
      [403, 'model_locked'],
      [400, 'validation_failed'],
    ])
    expect(answers[1]?.body?.error).toBe('This model is currently unavailable. Please select a different model.')
    expect(router.provider.calls).toHaveLength(0)
    expect((await completion(router, 'off', { allowLocked: true })).status).toBe(200)
  })

  test('of a provider without a key says so', async () => {
    const answer = await completion(router, 'openrouter-auto')
    expect([answer.status, answer.body?.code]).toEqual([502, 'provider_error'])
    expect(answer.body?.error).toContain('No API key')
  })

  test('by a model’s limit per minute is exact for concurrent calls', async () => {
    const { id } = await router.model({ id: newId(), requestsPerMinute: 5 })
    const answers = await Promise.all(Array.from({ length: 12 }, () => completion(router, id)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5)
    const refused = answers.find((answer) => answer.status === 429)
    expect(refused?.body?.code).toBe('rate_limited')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect(router.provider.calls).toHaveLength(5)
  })

  test('is not retried beyond the retry budget', async () => {
    const busy = await givenRouter({ retryReserve: 10 })
    try {
      await busy.model({ id: 'sick' })
      busy.provider.always({ status: 503 })
      for (let call = 0; call < 40; call += 1) await completion(busy, 'sick')
      expect(busy.provider.calls.length).toBeLessThanOrEqual(40 + 10 + 4)
    } finally {
      await busy.stop()
    }
  })
})

test('a model that fails repeatedly is not called for a while, and other models are', async () => {
  const guarded = await givenRouter({ breaker: { failures: 15, restMs: 600_000 } })
  try {
    await guarded.model({ id: 'sick' })
    await guarded.model({ id: 'well', apiModelName: 'well' })
    guarded.provider.always({ status: 503 }, ({ model }) => model === 'sick')
    const answers = await Promise.all(Array.from({ length: 20 }, () => completion(guarded, 'sick')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]))
    const asked = guarded.provider.calls.length
    expect(await completion(guarded, 'sick')).toMatchObject({ status: 502, body: { code: 'provider_error' } })
    expect(guarded.provider.calls).toHaveLength(asked)
    // What a provider refuses says nothing of its health.
    guarded.provider.always({ status: 400 }, ({ model }) => model === 'well')
    for (let nth = 0; nth < 15; nth += 1) expect((await completion(guarded, 'well')).status).not.toBe(200)
    guarded.provider.reset()
    expect((await completion(guarded, 'well')).status).toBe(200)
  } finally {
    await guarded.stop()
  }
})

test('a model with an open circuit breaker is shown as such in the picker, to admins and in the metrics', async () => {
  const guarded = await givenRouter({ breaker: { failures: 1, restMs: 600_000 } })
  try {
    await guarded.model({ id: 'sick' })
    await guarded.model({ id: 'well' })
    guarded.provider.reply({ status: 503 })
    await completion(guarded, 'sick')
    const { body } = await guarded.as(guestPrincipal()).call(modelRoutes.hierarchy)
    const models = body.providers.flatMap(({ groups }) => groups.flatMap((group) => group.models))
    expect(models.filter(({ available }) => !available).map(({ id }) => id)).toEqual(['sick'])
    const { body: readiness } = await guarded.admin.get('/readyz')
    const breaker = { provider: 'deepseek', model: 'sick', state: 'open', since: expect.any(String) }
    expect(readiness).toMatchObject({ status: 'ready', breakers: [breaker] })
    const { text: metrics } = await guarded.admin.get('/metrics')
    expect(metrics).toMatch(/provider_circuit_breaker\{[^}]*model="sick"[^}]*\} 1\n/)
    expect(metrics).toMatch(/provider_circuit_breaker\{[^}]*model="well"[^}]*\} 0\n/)
  } finally {
    await guarded.stop()
  }
})

test('a model is called again after its circuit breaker’s rest', async () => {
  const guarded = await givenRouter({ breaker: { failures: 1, restMs: 0 } })
  try {
    await guarded.model({ id: 'sick' })
    guarded.provider.reply({ status: 503 }, { status: 503 }, { status: 503 })
    expect((await completion(guarded, 'sick')).status).toBe(502)
    expect((await completion(guarded, 'sick')).status).toBe(200)
  } finally {
    await guarded.stop()
  }
})

test('the usage of a model is counted', async () => {
  const { id } = await router.model({ id: newId() })
  await Promise.all([completion(router, id), completion(router, id)])
  await expect
    .poll(async () => {
      const { body } = await router.admin.call(modelAdminRoutes.list)
      return body.models.find((model) => model.id === id)?.usage
    })
    .toMatchObject({ totalRequests: 2, averageResponseMs: expect.any(Number), lastUsed: expect.any(String) })
})
