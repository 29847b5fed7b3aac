import { type FaultProxy, startFaultProxy, waitUntil } from '@parley/testing'
import { test as base, describe, expect } from 'vitest'
import { completion, type GivenRouter, givenRouter } from './given-router.ts'

const sdks = ['openai-sdk', 'fetch', 'anthropic-sdk'] as const
/** Each test has its own, so that those of all adapters can wait for time-outs at once. */
const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which other fixtures it needs.
  .extend('router', async ({}, { onCleanup }): Promise<GivenRouter> => {
    // Short pauses, so that retries do not approach the deadline.
    const router = await givenRouter({ timeouts: { firstToken: 4_000, idle: 3_000, retryDelays: [50, 100] } })
    onCleanup(() => router.stop())
    return router
  })
  .extend('proxy', async ({ router }, { onCleanup }): Promise<FaultProxy> => {
    const proxy = await startFaultProxy({ host: '127.0.0.1', port: Number(new URL(router.provider.url).port) })
    onCleanup(() => proxy.close())
    for (const sdkType of sdks) {
      const apiEndpoint = sdkType === 'anthropic-sdk' ? proxy.url : `${proxy.url}/v1`
      await router.model({ id: sdkType, sdkType, apiEndpoint })
    }
    return proxy
  })

describe.each(sdks)('by %s', (model) => {
  test('an unavailable provider is a 502 after three attempts', async ({ router, proxy }) => {
    proxy.fault({ kind: 'refuse' })
    const answer = await completion(router, model)
    expect([answer.status, answer.body?.code]).toEqual([502, 'provider_error'])
    expect(proxy.observed).toBe(3)
  })

  test('a provider that recovers is reached by a retry', async ({ router, proxy }) => {
    proxy.fault({ kind: 'refuse' })
    const answering = completion(router, model)
    await waitUntil(() => proxy.observed > 0, 'a refused connection')
    proxy.fault({ kind: 'none' })
    expect((await answering).text).toBe('You said: Hello')
  })
})

const ofEachSdk = <Row>(rows: readonly Row[]) => sdks.flatMap((model) => rows.map((row) => [model, row] as const))

describe.concurrent('by each adapter at once', () => {
  test.for(ofEachSdk([{ kind: 'stall' }, { kind: 'one-way', swallow: 'to-client' }] as const))(
    '%s: %j before the first piece is 504',
    async ([model, fault], { router, proxy }) => {
      proxy.fault(fault)
      const answer = await completion(router, model)
      expect([answer.status, answer.body?.code]).toEqual([504, 'provider_timeout'])
      expect(proxy.observed).toBeGreaterThan(0)
      // A stalled connection does not show its end either.
      proxy.fault({ kind: 'none' })
      await waitUntil(() => proxy.connections === 0, 'the end of the call')
    },
  )

  test.for(
    ofEachSdk([
      { kind: 'cut', code: 'provider_error' },
      { kind: 'stall', code: 'provider_timeout' },
    ] as const),
  )(
    '%s: a line that is broken mid-answer by %j keeps the text and ends in that error',
    async ([model, { kind, code }], { router, proxy }) => {
      router.provider.reply({ chunks: Array.from({ length: 1_000 }, () => 'piece '), delayMs: 5 })
      const answering = completion(router, model)
      await waitUntil(() => (router.provider.calls[0]?.sentChunks ?? 0) > 3, 'a few pieces')
      proxy.fault({ kind })
      const answer = await answering
      expect(answer.text).toMatch(/^(piece )+$/)
      expect(answer.last).toMatchObject({ type: 'error', code })
      expect(proxy.observed).toBeGreaterThan(0)
      await router.provider.aborted(1)
    },
  )
})
