import { builtInSystemPrompt, modelAdminRoutes } from '@parley/contracts'
import { freePort } from '@parley/kit'
import { userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
beforeAll(async () => {
  router = await givenRouter({ timeouts: { firstToken: 6_000 } })
  await router.model({ id: 'saved', apiModelName: 'saved-at-the-provider', maxTokens: 4_000, requestsPerMinute: 1 })
  await router.model({ id: 'painter', modelType: 'image' })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

const run = (body: unknown) => router.admin.call(modelAdminRoutes.test, { body: body as never })

test('a saved model is called once for at most 16 tokens, without counting usage', async () => {
  for (const _again of [1, 2]) {
    const answer = await run({ id: 'saved' })
    expect(answer.body).toEqual({ ok: true, text: expect.stringContaining('OK'), latencyMs: expect.any(Number) })
  }
  expect(router.provider.calls.map(({ body }) => [body.model, body.max_tokens ?? body.max_completion_tokens])).toEqual([
    ['saved-at-the-provider', 16],
    ['saved-at-the-provider', 16],
  ])
  const { body } = await router.admin.call(modelAdminRoutes.list)
  expect(body.models.find(({ id }) => id === 'saved')?.usage.totalRequests).toBe(0)
})

test('a system prompt is tried on a model with a question; an empty one means the built-in prompt', async () => {
  const question = 'Who are you?'
  for (const systemPrompt of ['You are a pirate.', ' ']) {
    expect((await run({ id: 'saved', trial: { systemPrompt, question } })).body).toMatchObject({ ok: true })
  }
  expect(router.provider.calls.map(({ body }) => body.messages)).toEqual(
    ['You are a pirate.', builtInSystemPrompt].map((content) => [
      { role: 'system', content },
      { role: 'user', content: question },
    ]),
  )
  expect((await run({ id: 'saved', trial: { systemPrompt: '', question: '' } })).status).toBe(400)
})

test('an unsaved model is called with its endpoint and headers, and is not saved', async () => {
  const model = {
    ...{ id: 'draft', name: 'Draft', provider: 'deepseek', group: 'Test', apiEndpoint: router.provider.openaiUrl },
    customHeaders: [{ name: 'x-team', value: 'blue' }],
  }
  expect((await run({ model })).body).toMatchObject({ ok: true })
  expect(router.provider.calls).toMatchObject([{ body: { model: 'draft' }, headers: { 'x-team': 'blue' } }])
  const { body } = await router.admin.call(modelAdminRoutes.list)
  expect(body.models.map(({ id }) => id)).not.toContain('draft')
})

test('a provider that refuses, hangs or is unreachable is reported with the cause, by status 200 after one call', async () => {
  router.provider.always({ status: 401, body: 'canary of the provider' })
  const refused = await run({ id: 'saved' })
  expect([refused.status, refused.body]).toEqual([
    200,
    { ok: false, status: 401, error: expect.stringContaining('status 401'), latencyMs: expect.any(Number) },
  ])
  expect(refused.text).not.toContain('canary')
  expect(router.provider.calls).toHaveLength(1)
  router.provider.reset()
  router.provider.always({ hang: 'before-first' })
  expect((await run({ id: 'saved' })).body).toMatchObject({ ok: false, error: expect.stringContaining('too long') })
  const nobody = {
    id: 'gone',
    name: 'Gone',
    provider: 'deepseek',
    group: 'Test',
    apiEndpoint: `http://127.0.0.1:${await freePort()}`,
  }
  expect((await run({ model: nobody })).body).toMatchObject({ ok: false, error: expect.stringMatching(/ECONNREFUSED/) })
  const keyless = { id: 'keyless', name: 'Keyless', provider: 'openrouter', group: 'Test' }
  expect((await run({ model: keyless })).body).toMatchObject({
    ok: false,
    error: expect.stringContaining('No API key'),
  })
})

test('an unknown model, an image model, both or neither, a private endpoint and a caller who is not an admin are refused', async () => {
  const inside = { id: 'in', name: 'In', provider: 'deepseek', group: 'Test', apiEndpoint: 'http://10.1.2.3/v1' }
  const answers = await Promise.all(
    [{ id: 'no-such' }, { id: 'painter' }, {}, { id: 'saved', model: inside }, { model: inside }].map(run),
  )
  expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 422])
  const asUser = await router.as(userPrincipal()).post('/api/admin/models/test', { id: 'saved' })
  expect(asUser.status).toBe(403)
  expect(router.provider.calls).toEqual([])
})
