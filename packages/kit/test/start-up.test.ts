import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import type { Service } from '../src/index.ts'
import { createStartUp } from '../src/service/start-up.ts'
import { recordedLog } from './recorded-log.ts'

let server: Server | undefined
const stop = new AbortController()
afterEach(() => void server?.close())

/** A service over two engines that are unavailable until `there` says otherwise, and whose start fails as often as given. */
async function given({ failures = 0 } = {}) {
  const there = new Set<string>()
  const check = (name: string) => async () => {
    if (!there.has(name)) throw new Error(`${name} is unavailable`)
  }
  const started = vi.fn()
  const service: Service = {
    name: 'test',
    handler: (_request, response) => void response.end('service'),
    async start() {
      started()
      failures -= 1
      if (failures >= 0) throw new Error('migration failed')
    },
    drain: () => undefined,
    stop: async () => undefined,
  }
  const { log, lines } = recordedLog()
  const startUp = createStartUp({ service, required: { postgres: check('postgres'), kafka: check('kafka') }, log })
  server = createServer(startUp.handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  const reasons = async () => ((await (await ask('/readyz')).json()) as { reasons?: unknown }).reasons
  const failed = async () => ((await (await ask('/readyz')).json()) as { failed: string[] }).failed
  return { there, started, startUp, lines, ask, failed, reasons }
}

it('a starting service responds to health checks immediately, names missing engines, and refuses other requests until it has started', async () => {
  const { there, started, startUp, ask, failed } = await given()
  const running = startUp.run(stop.signal)
  expect(await (await ask('/healthz')).text()).toBe('service')
  expect([(await ask('/readyz')).status, await failed()]).toEqual([503, ['postgres', 'kafka', 'start']])
  const refused = await ask('/api/chat')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await refused.json()).toMatchObject({ code: 'unavailable', requestId: expect.stringMatching(/^\w{32}$/) })
  expect(await (await ask('/api/v1/models')).json()).toMatchObject({ error: { code: 'unavailable' } })
  there.add('kafka')
  await expect.poll(failed).toEqual(['postgres', 'start'])
  expect(started).not.toHaveBeenCalled()
  there.add('postgres')
  expect(await running).toBe(true)
  expect(await (await ask('/api/chat')).text()).toBe('service')
})

it('a starting service logs the reason of its wait when it changes, not at every attempt', async () => {
  const { there, startUp, lines } = await given({ failures: 3 })
  const running = startUp.run(stop.signal)
  await expect.poll(() => lines).toHaveLength(2)
  for (const name of ['postgres', 'kafka']) there.add(name)
  expect(await running).toBe(true)
  const waits = lines.filter(({ reason }) => reason !== undefined)
  expect(waits.map(({ what, reason }) => `${what}: ${reason}`)).toEqual([
    'postgres: postgres is unavailable',
    'kafka: kafka is unavailable',
    'start: migration failed',
  ])
})

it('a starting service says at /readyz why it waits, for its engines and then for its start', async () => {
  const { there, startUp, reasons } = await given({ failures: 1_000 })
  const waiting = new AbortController()
  const running = startUp.run(waiting.signal)
  await expect.poll(reasons).toEqual({ postgres: 'postgres is unavailable', kafka: 'kafka is unavailable' })
  there.add('kafka')
  await expect.poll(reasons).toEqual({ postgres: 'postgres is unavailable' })
  there.add('postgres')
  await expect.poll(reasons).toEqual({ start: 'migration failed' })
  waiting.abort()
  await running
  expect(await reasons()).toBeUndefined()
})

it('a starting service can be stopped while it waits, and is draining from then on', async () => {
  const { startUp, started, failed } = await given()
  const waiting = new AbortController()
  const running = startUp.run(waiting.signal)
  waiting.abort()
  expect(await running).toBe(false)
  expect(await failed()).toEqual(['draining'])
  expect(started).not.toHaveBeenCalled()
})
