import type { ResolveHost } from '@parley/kit/egress'
import { type FakeProvider, keyPrincipal, startFakeProvider, startTestServer } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type GivenApi, givenApi } from './given-api.ts'
import { apiKey, completion } from './given-router.ts'

const publicAddress = { address: '93.184.216.34', family: 4 }
const loopback = { address: '127.0.0.1', family: 4 }
let router: GivenApi
let other: FakeProvider
let addresses: readonly (typeof loopback)[]
const resolveHost: ResolveHost = async () => addresses

beforeEach(async () => {
  addresses = [publicAddress]
  router = await givenApi({ allowedPrivateHosts: ['127.0.0.1', 'friend.example'], resolveHost })
  other = await startFakeProvider()
})
afterEach(async () => {
  await other.close()
  await router.stop()
})
const portOf = (url: string): string => new URL(url).port

describe('a provider’s key', () => {
  test('is sent to the provider’s own origin, even if a model names it explicitly', async () => {
    await router.model({ id: 'own', apiEndpoint: `${router.provider.url}/v1` })
    expect((await completion(router, 'own')).status).toBe(200)
    expect((await router.provider.call(1)).headers.authorization).toBe(`Bearer ${apiKey}`)
  })

  test.each(['openai-sdk', 'fetch', 'anthropic-sdk'] as const)('is never sent anywhere else by %s', async (sdkType) => {
    const apiEndpoint = sdkType === 'anthropic-sdk' ? other.url : other.openaiUrl
    await router.model({ id: 'elsewhere', sdkType, apiEndpoint, customHeaders: [{ name: 'x-team', value: 'blue' }] })
    expect((await completion(router, 'elsewhere')).text).toBe('You said: Hello')
    const { headers } = await other.call(1)
    expect(headers['x-team']).toBe('blue')
    expect(JSON.stringify(headers)).not.toContain('canary')
    expect(headers.authorization).toBeUndefined()
    expect(headers['x-api-key']).toBeUndefined()
  })

  test('does not follow a redirect', async () => {
    const redirecting = await startTestServer((_request, response) =>
      response.writeHead(307, { location: `${other.openaiUrl}/chat/completions` }).end(),
    )
    await router.model({ id: 'redirected', apiEndpoint: redirecting.url })
    expect((await completion(router, 'redirected')).status).toBe(502)
    expect(other.calls).toHaveLength(0)
    await redirecting.close()
  })
})

describe('an endpoint’s host', () => {
  /** A program's request, whose answer is relayed as the provider sends it. */
  const relayed = (model: string) =>
    router
      .as(keyPrincipal())
      .post('/api/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] })

  test('is connected to at the vetted address', async () => {
    addresses = [loopback]
    await router.model({ id: 'friend', apiEndpoint: `http://friend.example:${portOf(other.url)}/v1` })
    expect((await completion(router, 'friend')).text).toBe('You said: Hello')
    expect(await relayed('friend')).toMatchObject({ status: 200 })
  })

  test.each([
    ['re-pointed into the network after it was registered', [loopback]],
    ['half inside the network', [publicAddress, loopback]],
  ])('is not connected to when %s', async (_what, later) => {
    await router.model({ id: 'rebound', apiEndpoint: `http://rebind.example:${portOf(other.url)}/v1` })
    addresses = later
    expect((await completion(router, 'rebound')).status).toBe(502)
    expect((await relayed('rebound')).status).toBe(502)
    expect(other.calls).toHaveLength(0)
  })
})
