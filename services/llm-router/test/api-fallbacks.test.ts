import type { Model } from '@parley/contracts'
import { newId } from '@parley/kit'
import { keyPrincipal, startTestServer, type TestServer, tinyPng } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'

let given: GivenApi
/** Serves the images of prompts: `/boat.png`, `/never.png` without an end, and no others. */
let elsewhere: TestServer
let fetched: (string | undefined)[]
beforeAll(async () => {
  given = await givenApi({ timeouts: { files: 2_000 }, breaker: { failures: 6, restMs: 600_000 } })
  elsewhere = await startTestServer((request, response) => {
    fetched.push(request.url)
    if (request.url === '/boat.png') response.end(Buffer.from(tinyPng, 'base64'))
    else if (request.url !== '/never.png') response.writeHead(404).end()
  })
})
beforeEach(() => {
  given.provider.reset()
  fetched = []
})
afterAll(async () => {
  await elsewhere.close()
  await given.stop()
})

const chat = (model: string, parts: object = {}) =>
  given
    .as(keyPrincipal())
    .post('/api/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }], ...parts })
const look = (path: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `${elsewhere.url}${path}` } }] }],
})
/** A model that can be recognised in the calls of the provider. */
const model = async (fields: Partial<Model> = {}): Promise<string> => {
  const id = newId()
  await given.model({ id, provider: 'openai', apiModelName: id, ...fields })
  return id
}
const claude = { provider: 'anthropic', sdkType: 'anthropic-sdk', supportsImageAttachments: true } as const
const only = (id: string) => (request: { model?: string }) => request.model === id

describe('the image at an address in a request that is translated', () => {
  it('is fetched once, however often the model is called', async () => {
    given.provider.reply({ status: 503 }, { status: 503 })
    expect((await chat('claude', look('/boat.png'))).status).toBe(200)
    expect(given.provider.calls).toHaveLength(3)
    expect(fetched).toEqual(['/boat.png'])
  })

  it('is not fetched for a model that is called in the caller’s own format', async () => {
    expect((await chat('gpt', look('/boat.png'))).status).toBe(200)
    expect(fetched).toEqual([])
  })

  it('is the caller’s mistake if it does not arrive in time (400), and no provider is called', async () => {
    const { status, text } = await chat('claude', look('/never.png'))
    expect(status).toBe(400)
    expect(text).toContain('An image couldn’t be fetched')
    expect(given.provider.calls).toEqual([])
  })

  it('says nothing of the model’s health if it cannot be fetched', async () => {
    const sick = await model(claude)
    given.provider.always({ status: 503 }, only(sick))
    // Three calls each, as there are two retries; after six failures in a row the circuit breaker opens.
    expect((await chat(sick)).status).toBe(502)
    expect((await chat(sick, look('/none.png'))).status).toBe(400)
    expect((await chat(sick)).status).toBe(502)
    given.provider.reset()
    expect((await chat(sick)).status).toBe(502)
    expect(given.provider.calls).toEqual([])
  })

  it('is not fetched while the circuit breaker of each model is open (502), but for a fallback that is called', async () => {
    const sick = await model(claude)
    const [ill, main] = [
      await model({ ...claude, fallbackModels: [sick] }),
      await model({ ...claude, fallbackModels: ['claude'] }),
    ]
    given.provider.always({ status: 503 }, ({ model: id }) => [sick, ill, main].includes(id ?? ''))
    // Six calls each.
    for (const id of [sick, sick, ill, ill, main, main]) await chat(id)
    given.provider.reset()
    expect((await chat(ill, look('/boat.png'))).status).toBe(502)
    expect(fetched).toEqual([])
    expect((await chat(main, look('/boat.png'))).status).toBe(200)
    expect([fetched, given.provider.calls.length]).toEqual([['/boat.png'], 1])
  })

  it('does not replace the failure of the model, if a fallback cannot fetch it (502)', async () => {
    const spare = await model(claude)
    const main = await model({ fallbackModels: [spare] })
    given.provider.always({ status: 503 }, only(main))
    expect(await chat(main, look('/none.png'))).toMatchObject({
      status: 502,
      body: { error: { code: 'provider_error' } },
    })
    given.provider.always({ status: 503 }, only(spare))
    const other = await model({ ...claude, fallbackModels: [main] })
    expect((await chat(other, look('/none.png'))).status).toBe(400)
  })
})

describe('a fallback that answers', () => {
  const limits = { tokensPerMinute: 1_000, maxTokens: 600 }
  const left = ({ headers }: { headers: Record<string, unknown> }) => Number(headers['x-ratelimit-remaining-tokens'])

  it('has the tokens taken from its own minute, and the requested model gets its reservation back', async () => {
    const spare = await model(limits)
    const main = await model({ ...limits, fallbackModels: [spare] })
    given.provider.always({ status: 401 }, only(main))
    given.provider.always({ text: 'x', usage: { inputTokens: 100, outputTokens: 600 } }, only(spare))
    expect((await chat(main)).status).toBe(200)
    // The fallback has 300 tokens left, and is skipped.
    const calls = given.provider.calls.length
    expect((await chat(main)).status).toBe(502)
    expect(given.provider.calls.slice(calls).map(({ body }) => body.model)).toEqual([main])
    const direct = await chat(spare, { max_tokens: 100 })
    expect(direct.status).toBe(200)
    expect(left(direct)).toBeLessThan(300)
    given.provider.reset()
    // As if it had never been called: a reservation of 600 and the prompt.
    expect(left(await chat(main))).toBeGreaterThan(390)
  })

  it('has a request taken from its own minute', async () => {
    const once = await model({ requestsPerMinute: 1 })
    const main = await model({ fallbackModels: [once] })
    given.provider.always({ status: 401 }, only(main))
    expect((await chat(main)).status).toBe(200)
    expect((await chat(main)).status).toBe(502)
    expect((await chat(once)).status).toBe(429)
  })
})
