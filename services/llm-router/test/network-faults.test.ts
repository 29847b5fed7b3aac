import { type FaultProxy, startFaultProxy, waitUntil } from '@parley/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { completion, type GivenRouter, givenRouter } from './given-router.ts'

let router: GivenRouter
let proxy: FaultProxy
const sdks = ['openai-sdk', 'fetch', 'anthropic-sdk'] as const
beforeEach(async () => {
  // Short pauses, so that retries do not approach the deadline.
  router = await givenRouter({ timeouts: { firstToken: 4_000, idle: 3_000, retryDelays: [50, 100] } })
  proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(router.provider.url).port) })
  for (const sdkType of sdks) {
    await router.model({
      id: sdkType,
      sdkType,
      apiEndpoint: sdkType === 'anthropic-sdk' ? proxy.url : `${proxy.url}/v1`,
    })
  }
})
afterEach(async () => {
  await proxy.close()
  await router.stop()
})

describe.each(sdks)('by %s', (model) => {
  test('an unavailable provider is a 502 after three attempts', async () => {
    proxy.fault({ kind: 'refuse' })
    const answer = await completion(router, model)
    expect([answer.status, answer.body?.code]).toEqual([502, 'provider_error'])
    expect(proxy.observed).toBe(3)
  })

  test('a provider that recovers is reached by a retry', async () => {
    proxy.fault({ kind: 'refuse' })
    const answering = completion(router, model)
    await waitUntil(() => proxy.observed > 0, 'a refused connection')
    proxy.fault({ kind: 'none' })
    expect((await answering).text).toBe('You said: Hello')
  })

  test.each([{ kind: 'stall' }, { kind: 'one-way', swallow: 'to-client' }] as const)(
    '%j before the first piece is 504',
    async (fault) => {
      proxy.fault(fault)
      const answer = await completion(router, model)
      expect([answer.status, answer.body?.code]).toEqual([504, 'provider_timeout'])
      expect(proxy.observed).toBeGreaterThan(0)
      // A stalled connection does not show its end either.
      proxy.fault({ kind: 'none' })
      await waitUntil(() => proxy.connections === 0, 'the end of the call')
    },
  )

  test.each([
    ['cut', 'provider_error'],
    ['stall', 'provider_timeout'],
  ] as const)('a line that is %s mid-answer keeps the text and ends in %s', async (kind, code) => {
    router.provider.reply({ chunks: Array.from({ length: 1_000 }, () => 'piece '), delayMs: 5 })
    const answering = completion(router, model)
    await waitUntil(() => (router.provider.calls[0]?.sentChunks ?? 0) > 3, 'a few pieces')
    proxy.fault({ kind })
    const answer = await answering
    expect(answer.text).toMatch(/^(piece )+$/)
    expect(answer.last).toMatchObject({ type: 'error', code })
    expect(proxy.observed).toBeGreaterThan(0)
    await router.provider.aborted(1)
  })
})
