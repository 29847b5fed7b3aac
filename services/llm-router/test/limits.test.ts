import {
  embeddingInternalRoutes,
  type Model,
  modelAdminRoutes,
  modelInternalRoutes,
  modelRoutes,
} from '@parley/contracts'
import { newId } from '@parley/kit'
import { adminPrincipal, apiClient, startTestServer } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { completion, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
beforeAll(async () => {
  router = await givenRouter()
  await router.model({ id: 'alone' })
})
beforeEach(() => router.provider.reset())
afterAll(() => router.stop())

it('a limit of one request a minute admits one, and the next within the minute after', async () => {
  const { id } = await router.model({ id: newId(), requestsPerMinute: 1 })
  expect((await completion(router, id)).status).toBe(200)
  const refused = await completion(router, id)
  expect([refused.status, refused.headers['ratelimit-limit']]).toEqual([429, '1'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(30)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
})

describe('a limit of tokens a minute', () => {
  const tight = (fields: Partial<Model> = {}) =>
    router.model({ id: newId(), maxTokens: 600, tokensPerMinute: 1_000, ...fields })

  it('reserves those of an answer before its call (429 for the next), and gives unused ones back with its end', async () => {
    const { id } = await tight()
    let proceed: () => void = () => undefined
    const until = new Promise<void>((resolve) => {
      proceed = resolve
    })
    router.provider.reply({ text: 'x', usage: { inputTokens: 1, outputTokens: 4 }, pause: { after: 0, until } })
    const first = completion(router, id)
    await router.provider.call(1)
    const refused = await completion(router, id)
    expect([refused.status, refused.body?.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    proceed()
    expect((await first).status).toBe(200)
    router.provider.always({ text: 'x', usage: { inputTokens: 100, outputTokens: 600 } })
    expect([(await completion(router, id)).status, (await completion(router, id)).status]).toEqual([200, 429])
  })

  it('is that of the model which answers: a fallback has its own, and the requested model gets its tokens back', async () => {
    const spare = await tight()
    const main = await tight({ apiModelName: 'main', fallbackModels: [spare.id] })
    router.provider.always({ text: 'x', usage: { inputTokens: 100, outputTokens: 600 } })
    router.provider.always({ status: 401 }, ({ model }) => model === 'main')
    expect((await completion(router, main.id)).lines[0]).toMatchObject({ model: spare.id })
    // The fallback has 300 tokens left, and is skipped.
    expect((await completion(router, main.id)).status).toBe(502)
    router.provider.reset()
    expect((await completion(router, main.id)).lines[0]).toMatchObject({ model: main.id })
  })

  it('counts the texts of embeddings and the prompts of images', async () => {
    const once = { provider: 'openai', tokensPerMinute: 1 } as const
    const { id } = await router.model({ id: newId(), modelType: 'image', ...once })
    const image = { generationId: 'generation-1', model: id, prompt: 'Boat', allowLocked: false }
    const draw = async () => (await router.chat.call(modelInternalRoutes.image, { body: image })).status
    expect([await draw(), await draw()]).toEqual([200, 429])
    await router.model({ id: newId(), modelType: 'embedding', ...once })
    const embed = async () =>
      (await router.chat.call(embeddingInternalRoutes.embed, { body: { texts: ['Boat'] } })).status
    router.provider.reply({ status: 401 })
    expect([await embed(), await embed(), await embed()]).toEqual([502, 200, 429])
  })
})

describe('a provider that refuses', () => {
  it.each([
    [401, 'The AI provider didn’t accept this server’s credentials. Please choose another model.', 1],
    [403, 'The AI provider didn’t accept this server’s credentials. Please choose another model.', 1],
    [400, 'The AI provider refused this request. Please choose another model or shorten the chat.', 1],
    [429, 'The AI provider is overloaded. Please try again in a moment.', 3],
    [500, 'The AI provider couldn’t answer. Please try again.', 3],
  ])('with %i has its own error text, after as many attempts as make sense', async (status, error, tries) => {
    router.provider.always({ status })
    const { body } = await completion(router, 'alone')
    expect(body).toMatchObject({ code: 'provider_error', error })
    expect(router.provider.calls).toHaveLength(tries)
  })

  it('for longer than users would wait is not retried', async () => {
    router.provider.always({ status: 429, headers: { 'retry-after': '120' } })
    expect((await completion(router, 'alone')).status).toBe(502)
    expect(router.provider.calls).toHaveLength(1)
  })
})

it('an admin who views as a user sees that user’s locks', async () => {
  const locked = await router.model({ id: newId(), enabled: false })
  const api = apiClient(router.url, router.identity)
  const lockOf = async (viewAs: boolean) => {
    const { body } = await api.as(adminPrincipal(viewAs ? { viewAs: true } : {})).call(modelRoutes.hierarchy)
    const models = body.providers.flatMap(({ groups }) => groups.flatMap((group) => group.models))
    return models.find(({ id }) => id === locked.id)?.locked
  }
  expect([await lockOf(false), await lockOf(true)]).toEqual([false, true])
  await api.close()
})

it('an admin’s view of the models is not cached for others', async () => {
  const { headers } = await router.admin.call(modelRoutes.hierarchy)
  expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: expect.stringMatching(/authorization/i) })
})

it('a model is never its own fallback', async () => {
  const params = { id: 'alone' }
  const own = await router.admin.call(modelAdminRoutes.update, { params, body: { fallbackModels: ['alone'] } })
  expect([own.status, own.body]).toEqual([422, expect.objectContaining({ code: 'invalid_model_data' })])
  const another = await router.model({ id: newId() })
  const other = await router.admin.call(modelAdminRoutes.update, { params, body: { fallbackModels: [another.id] } })
  expect(other.status).toBe(200)
})

it('a complete answer ends well, even if its provider neither sends figures nor closes the stream', async () => {
  const server = await startTestServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const choice of [{ delta: { content: 'Whole.' } }, { delta: {}, finish_reason: 'stop' }]) {
      response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`)
    }
  })
  const apiEndpoint = `${server.url}/v1`
  const { id } = await router.model({ id: newId(), apiEndpoint })
  const answer = await completion(router, id)
  expect(answer.text).toBe('Whole.')
  expect(answer.last).toMatchObject({ type: 'end', finishReason: 'stop', usage: { estimated: true } })
  await server.close()
})
