import {
  embeddingInternalRoutes,
  type Model,
  modelAdminRoutes,
  modelInternalRoutes,
  modelRoutes,
} from '@parley/contracts'
import { waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
beforeAll(async () => {
  router = await givenRouter({ timeouts: { retryDelays: [10, 20] } })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

const embedder = async () => (await router.chat.call(embeddingInternalRoutes.embedder)).body.embedder
const embed = (texts: string[], signal?: AbortSignal) =>
  router.chat.call(embeddingInternalRoutes.embed, { body: { texts }, ...(signal && { signal }) })
const add = (id: string, fields: Partial<Model> = {}) =>
  router.model({ id, provider: 'openai', modelType: 'embedding', ...fields })
const floatsOf = (base64 = '') => [...new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer)]
const product = (one: number[], other: number[]) => one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

describe('embeddings', () => {
  test('are unavailable while no model is registered for them (404), whatever other models exist', async () => {
    await router.model({ id: 'writes' })
    expect(await embedder()).toBeNull()
    expect((await embed(['A boat'])).status).toBe(404)
    expect(router.provider.calls).toEqual([])
  })

  test('are made by the cheapest embedding model that is enabled and configured', async () => {
    await add('dear', { creditsPerMessage: 2 })
    await add('off', { creditsPerMessage: 0, enabled: false })
    await add('keyless', { creditsPerMessage: 0, provider: 'openrouter' })
    expect(await embedder()).toEqual({ model: 'dear', space: 'dear' })
    await add('cheap', { apiModelName: 'vectors-small' })
    expect(await embedder()).toEqual({ model: 'cheap', space: 'cheap vectors-small' })
  })

  test('are unit vectors in the order of the texts, and count as usage of the model', async () => {
    router.provider.always({ synonyms: { ship: 'boat' } })
    const { status, body } = await embed(['A boat at sea', 'A ship at sea', 'Stock prices fell'])
    expect([status, body.model, body.space, body.inputTokens]).toEqual([200, 'cheap', 'cheap vectors-small', 11])
    const [boat = [], ship = [], stock = []] = body.vectors.map(floatsOf)
    expect([product(boat, boat), product(boat, ship)]).toEqual([expect.closeTo(1, 5), expect.closeTo(1, 5)])
    expect(product(boat, stock)).toBeLessThan(0.3)
    const asked = { model: 'vectors-small', input: ['A boat at sea', 'A ship at sea', 'Stock prices fell'] }
    expect(router.provider.calls.map((call) => call.body)).toEqual([asked])
    const used = async () => {
      const { models } = (await router.admin.call(modelAdminRoutes.list)).body
      return models.find(({ id }) => id === 'cheap')?.usage.totalRequests || undefined
    }
    await waitUntil(used, 'the use of the model')
  })

  test('are retried after a failure, and a refusal of the texts is a refusal of the request (400)', async () => {
    router.provider.reply({ status: 503 })
    expect((await embed(['A boat'])).status).toBe(200)
    router.provider.reply({ status: 400 })
    expect((await embed(['A boat'])).body).toMatchObject({ code: 'validation_failed' })
    router.provider.always({ status: 500 })
    const failed = await embed(['A boat'])
    expect([failed.status, failed.body]).toMatchObject([502, { code: 'provider_error' }])
    expect(failed.text).not.toContain('secret-upstream-detail')
  })

  test('that are invalid are a failure (502), without a retry', async () => {
    router.provider.always({ garbage: 'page' })
    expect((await embed(['A boat'])).status).toBe(502)
    expect(router.provider.calls).toHaveLength(1)
  })

  test('are cancelled at the provider when the caller leaves', async () => {
    router.provider.always({ hang: 'before-headers' })
    const left = new AbortController()
    const asked = embed(['A boat'], left.signal)
    await router.provider.call(1)
    left.abort()
    await expect(asked).rejects.toThrow()
    await router.provider.aborted(1)
  })
})

describe('an embedding model', () => {
  test('is shown to admins, but not to users, who cannot choose it; its id is told for programs if it can be called', async () => {
    const { providers, embeddingModels } = (await router.chat.call(modelRoutes.hierarchy)).body
    const shown = providers.flatMap(({ groups }) => groups.flatMap(({ models }) => models.map(({ id }) => id)))
    expect([shown.includes('writes'), shown.includes('cheap')]).toEqual([true, false])
    expect(embeddingModels).toEqual(['cheap', 'dear'])
    const { models } = (await router.admin.call(modelAdminRoutes.list)).body
    expect(models.find(({ id }) => id === 'cheap')).toMatchObject({ modelType: 'embedding' })
  })

  test('cannot write text, and has neither fallbacks nor an SDK without embeddings', async () => {
    const body = { generationId: 'one', model: 'cheap', messages: [{ role: 'user' as const, content: 'Hi' }] }
    const asked = await router.chat.stream(modelInternalRoutes.complete, { body: { ...body, allowLocked: false } })
    expect([asked.status, await asked.body.json()]).toMatchObject([400, { error: 'This model doesn’t write text' }])
    const refused = async (fields: object) => {
      const model = { id: 'never', name: 'Never', group: 'Test', provider: 'openai', modelType: 'embedding' } as const
      return (await router.admin.call(modelAdminRoutes.create, { body: { ...model, ...fields } })).status
    }
    expect(await refused({ fallbackModels: ['dear'] })).toBe(422)
    expect(await refused({ provider: 'anthropic', sdkType: 'anthropic-sdk' })).toBe(422)
  })
})
