import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type Model, modelAdminRoutes, modelInternalRoutes } from '@parley/contracts'
import { startTestServer, type TestServer, tinyPng, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { account, apiKey, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
/** Serves images that a provider returns as URLs. */
let elsewhere: TestServer
let fetched: IncomingHttpHeaders[]
const every = ['by-openai', 'by-xai', 'by-openrouter', 'by-fetch'] as const
const image = (id: string, fields: Partial<Model> = {}) =>
  router.model({ id, apiModelName: id, modelType: 'image', creditsPerMessage: 7, ...fields })
beforeAll(async () => {
  router = await givenRouter({
    timeouts: { retryDelays: [10, 20] },
    providers: (provider) => ({ openrouter: { ...account, baseUrl: provider.openaiUrl } }),
  })
  elsewhere = await startTestServer((request, response) => {
    fetched.push(request.headers)
    if (request.url === '/moved.png') response.writeHead(302, { location: '/boat.png' }).end()
    else if (request.url === '/endless.png') endless(response)
    else if (request.url === '/boat.png') response.end(Buffer.from(tinyPng, 'base64'))
    else response.writeHead(200, { 'content-type': 'image/png' }).end('<html>no image</html>')
  })
  await image('by-openai', { provider: 'openai' })
  await image('by-xai', { provider: 'xai', sdkType: 'xai-sdk' })
  await image('by-openrouter', { provider: 'openrouter', sdkType: 'openrouter' })
  await image('by-fetch', { sdkType: 'fetch' })
  await image('spare', { creditsPerMessage: 1 })
  await image('falls-back', { fallbackModels: ['spare'] })
  await image('off', { enabled: false })
  await image('once', { requestsPerMinute: 1 })
  await router.model({ id: 'writes' })
})
beforeEach(() => {
  router.provider.reset()
  fetched = []
})
afterAll(async () => {
  await elsewhere.close()
  await router.stop()
})

/** Sends the bytes of an endless picture. */
function endless(response: ServerResponse): void {
  response.write(Buffer.from(tinyPng, 'base64'))
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024))) {}
  }
  response.on('drain', more)
  more()
}

const make = (model: string, parts: { allowLocked?: boolean; signal?: AbortSignal; of?: GivenRouter } = {}) => {
  const { signal, allowLocked = false, of = router } = parts
  const body = { generationId: 'image-1', model, prompt: 'A small boat', allowLocked }
  return of.chat.call(modelInternalRoutes.image, { body, ...(signal && { signal }) })
}
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]).toString('base64')
const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('base64')

describe.each(every)('an image %s', (model) => {
  test('is returned as bytes with their actual type, and its price', async () => {
    for (const [base64, mimeType] of [
      [tinyPng, 'image/png'],
      [jpeg, 'image/jpeg'],
      [webp, 'image/webp'],
    ] as const) {
      router.provider.reply({ image: { base64 } })
      const answer = await make(model)
      expect([answer.status, answer.body]).toEqual([200, { model, creditsPerMessage: 7, mimeType, data: base64 }])
    }
    const { prompt, body, headers } = await router.provider.call(1)
    expect(prompt.messages).toMatchObject([{ role: 'user', text: 'A small boat' }])
    expect(body.model).toBe(model)
    expect(headers.authorization).toBe(`Bearer ${apiKey}`)
  })

  test.each([
    ['a page', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['nothing', ''],
    ['21 MB', Buffer.concat([Buffer.from(jpeg, 'base64'), Buffer.alloc(21 * 1024 * 1024)]).toString('base64')],
  ])('that is %s is refused, and not paid for twice', async (_what, base64) => {
    router.provider.reply({ image: { base64 } })
    const { status, body } = await make(model)
    expect([status, body]).toMatchObject([
      502,
      { code: 'provider_error', error: expect.stringMatching(/didn’t return an image/) },
    ])
    expect(router.provider.calls).toHaveLength(1)
  })

  test.each([
    ['500', { status: 500 }, 3],
    ['429', { status: 429, headers: { 'retry-after': '0' } }, 3],
    ['401', { status: 401 }, 1],
    ['400', { status: 400 }, 1],
    ['a web page', { garbage: 'page' }, 1],
    ['no image', { image: 'none' }, 1],
  ] as const)('is 502 to %s after %j tries, in the product’s own words', async (_what, script, tries) => {
    const leak = `{"error":{"message":"secret-upstream-detail ${apiKey} at 10.0.0.7"}}`
    router.provider.always({ image: { base64: tinyPng }, ...('status' in script && { body: leak }), ...script })
    const { status, body, text } = await make(model)
    expect([status, body]).toMatchObject([502, { code: 'provider_error' }])
    expect(`${text}${router.logged()}`).not.toMatch(/canary|10\.0\.0\.7|secret-upstream|small boat/)
    expect(router.provider.calls).toHaveLength(tries)
  })

  test('is cancelled when its caller has left', async () => {
    router.provider.reply({ hang: 'before-headers' })
    const leave = new AbortController()
    const made = make(model, { signal: leave.signal }).catch((error: Error) => error)
    await router.provider.call(1)
    leave.abort()
    await router.provider.aborted(1)
    expect(await made).toBeInstanceOf(Error)
    expect(router.provider.calls).toHaveLength(1)
  })
})

test('an image that takes too long is 504, and its call is cancelled', async () => {
  const hasty = await givenRouter({ timeouts: { image: 1_500 } })
  try {
    for (const sdkType of ['openai-sdk', 'openrouter', 'fetch'] as const) {
      await hasty.model({ id: sdkType, sdkType, modelType: 'image' })
      hasty.provider.reset()
      hasty.provider.reply({ hang: 'before-headers' })
      const { status, body } = await make(sdkType, { of: hasty })
      expect([status, body]).toMatchObject([504, { code: 'provider_timeout' }])
      await hasty.provider.aborted(1)
    }
  } finally {
    await hasty.stop()
  }
})

describe('an image returned as a URL', () => {
  const url = (path: string): string => `${elsewhere.url}${path}`

  test('is fetched without a key, and its bytes are returned', async () => {
    router.provider.reply({ image: { url: url('/boat.png') } })
    expect((await make('by-xai')).body).toMatchObject({ mimeType: 'image/png', data: tinyPng })
    expect(fetched).toHaveLength(1)
    expect(JSON.stringify(fetched)).not.toContain('canary')
  })

  test.each(['/page.png', '/moved.png', '/endless.png'])('that is no image, as %s, is 502', async (path) => {
    router.provider.reply({ image: { url: url(path) } })
    const { status, text } = await make('by-xai')
    expect(status).toBe(502)
    expect(text).not.toContain('127.0.0.1')
    expect(fetched).toHaveLength(1)
  })

  test.each([
    'http://localhost:PORT/boat.png',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'gopher://x/',
  ])('at %s is not fetched', async (address) => {
    const port = String(elsewhere.port)
    router.provider.reply({ image: { url: address.replace('PORT', port) } })
    expect((await make('by-xai')).status).toBe(502)
    expect(fetched).toHaveLength(0)
  })
})

describe('an image model', () => {
  test.each([
    ['unknown', 404, 'not_found'],
    ['off', 403, 'model_locked'],
    ['writes', 400, 'validation_failed'],
  ])('%s is refused with %i', async (model, status, code) => {
    const answer = await make(model)
    expect([answer.status, answer.body]).toMatchObject([status, { code }])
    expect(router.provider.calls).toHaveLength(0)
  })

  test('that is locked can be used by admins', async () => {
    router.provider.reply({ image: { base64: tinyPng } })
    expect((await make('off', { allowLocked: true })).status).toBe(200)
  })

  test('has its own limit per minute', async () => {
    expect((await make('once')).status).toBe(200)
    expect((await make('once')).status).toBe(429)
    expect(router.provider.calls).toHaveLength(1)
  })

  test('falls back, at the price of the model that generates', async () => {
    router.provider.always({ status: 500 }, (request) => request.model === 'falls-back')
    expect((await make('falls-back')).body).toMatchObject({ model: 'spare', creditsPerMessage: 1 })
  })

  test('has its images counted as usage', async () => {
    await make('spare')
    const use = async () => {
      const { models } = (await router.admin.call(modelAdminRoutes.list)).body
      return models.find(({ id }) => id === 'spare')?.usage.totalRequests || undefined
    }
    await waitUntil(use, 'the use of the model')
  })

  test('cannot have an SDK that generates no images', async () => {
    const body = { id: 'never', name: 'Never', group: 'Test', provider: 'anthropic', modelType: 'image' } as const
    const answer = await router.admin.call(modelAdminRoutes.create, { body: { ...body, sdkType: 'anthropic-sdk' } })
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'invalid_model_data' }])
  })
})
