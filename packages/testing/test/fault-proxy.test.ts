import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiClient, type FaultProxy, startFaultProxy, waitUntil } from '../src/index.ts'

const payload = 'x'.repeat(100_000)
let server: Server
let requests: number
let proxy: FaultProxy
beforeEach(async () => {
  requests = 0
  server = createServer((_request, response) => {
    requests += 1
    response.end(payload)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy = await startFaultProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
})
afterEach(async () => {
  await proxy.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
const get = () => apiClient(proxy.url).get('/')
const observedOne = () => waitUntil(() => proxy.observed > 0, 'a fault')

describe('the fault proxy', () => {
  test('passes everything by default', async () => {
    expect((await get()).text).toBe(payload)
    expect(proxy.observed).toBe(0)
  })

  test.each([{ kind: 'refuse' }, { kind: 'cut' }, { kind: 'cut', afterBytes: 500 }] as const)(
    'fails by %j',
    async (fault) => {
      proxy.fault(fault)
      await expect(get()).rejects.toThrow()
      expect(proxy.observed).toBeGreaterThan(0)
    },
  )

  test('stalls and continues where it stopped', async () => {
    proxy.fault({ kind: 'stall' })
    const answer = get()
    await observedOne()
    expect(requests).toBe(0)
    proxy.fault({ kind: 'none' })
    expect((await answer).text).toBe(payload)
  })

  test('slows down without losing anything', async () => {
    proxy.fault({ kind: 'slow', bytesPerSecond: 1_000_000 })
    expect((await get()).text).toBe(payload)
    expect(proxy.observed).toBeGreaterThan(0)
  })

  test('drops one direction and cuts at once', async () => {
    proxy.fault({ kind: 'one-way', swallow: 'to-client' })
    const answer = get().catch((error: Error) => error)
    await observedOne()
    expect(requests).toBe(1)
    proxy.cutNow()
    expect(await answer).toBeInstanceOf(Error)
    await waitUntil(() => proxy.connections === 0, 'closed connections')
  })
})
