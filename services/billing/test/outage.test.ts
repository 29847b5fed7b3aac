import { openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import { createMetrics, createServiceClient, newId, startService, systemClock } from '@parley/kit'
import { apiClient, startFaultProxy, testDatabase, testIdentity, testLog, userPrincipal } from '@parley/testing'
import { expect, it } from 'vitest'
import { createBillingService } from '../src/service.ts'
import { openBillingStores } from '../src/store/index.ts'

const log = testLog

it('billing answers 503 with a Retry-After while PostgreSQL is unavailable, and recovers by itself', async () => {
  const database = await testDatabase()
  const url = new URL(database.url)
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  const identity = testIdentity()
  const bus = await openPgBus({ url: database.url, log })
  const stores = openBillingStores({ url: proxy.through(database.url), log })
  const hub = openMemoryHub({ log })
  const metrics = createMetrics('billing', false)
  const client = createServiceClient({ self: 'billing', locate: () => '', identity })
  const service = createBillingService({
    ...{ stores, bus, signal: hub.open('billing').signal, keyWindows: hub.open('billing').counterOf('llm-router') },
    ...{ client, identity, metrics, log, newId },
    now: systemClock,
    holdRetentionDays: 90,
  })
  const running = await startService(service, { host: '127.0.0.1', port: 0 })
  const api = apiClient(running.url, identity)
  const ask = () => api.as(userPrincipal({ userId: 'ann' })).get('/api/user/credits')
  try {
    expect((await ask()).status).toBe(200)
    proxy.fault({ kind: 'refuse' })
    proxy.cutNow()
    for (let call = 0; call < 3; call += 1) {
      const { status, headers, body } = await ask()
      expect([status, headers['retry-after'], (body as { code: string }).code]).toEqual([503, '2', 'unavailable'])
    }
    expect(proxy.observed).toBeGreaterThan(0)
    proxy.fault({ kind: 'none' })
    await expect.poll(async () => (await ask()).status).toBe(200)
  } finally {
    await api.close()
    await running.stop(100)
    await Promise.all([client.close(), stores.close(), bus.close(), proxy.close(), hub.close()])
    await database.drop()
  }
})
