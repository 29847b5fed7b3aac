import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CacheEngine } from '@parley/cache'
import { openRedisEngine } from '@parley/cache/redis'
import { type NativeEngine, startNativeRedis } from '@parley/engines'
import { createLogger, newId } from '@parley/kit'
import { type ApiCaller, apiClient, collect, readEvents } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FakeAuth, plainRights, startFakeAuth } from './fake-auth.ts'
import { type Given, givenGateway } from './given.ts'

/** Less than the 30 s after which cached rights are refreshed. */
const eventually = { timeout: 25_000, interval: 20 }
const log = createLogger('test', 'silent')

let folder: string
let redis: NativeEngine
let auth: FakeAuth
let sender: CacheEngine
const engines: CacheEngine[] = []
const replicas: Given[] = []
const apis: ReturnType<typeof apiClient>[] = []

async function openEngine(scope: string): Promise<CacheEngine> {
  // A slow response would make a call fall back to local counting, which is not under test.
  const engine = openRedisEngine({ url: redis.url, scope, log, budgetMs: 5_000 })
  engines.push(engine)
  await engine.health()
  return engine
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-redis-'))
  redis = await startNativeRedis({ folder })
  auth = await startFakeAuth()
  sender = await openEngine('auth')
  for (let replica = 0; replica < 4; replica += 1) {
    const given = await givenGateway({ auth, cache: await openEngine('gateway') })
    replicas.push(given)
    apis.push(apiClient(given.url))
  }
})
afterAll(async () => {
  for (const api of apis) await api.close()
  for (const given of replicas) await given.close()
  for (const engine of engines) await engine.close()
  await auth.close()
  await redis.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  for (const given of replicas) given.chat.answer = (_request, response) => response.end('{}')
  await limitTo(100_000)
})

/** Signs a user in, and resolves to a client for each replica. */
async function signIn(userId: string): Promise<ApiCaller[]> {
  auth.users.set(userId, { active: true, rights: plainRights })
  const authorization = `Bearer ${await auth.token(userId)}`
  return apis.map((api) => api.with({ authorization }))
}
const send = async (caller: ApiCaller | undefined): Promise<number | undefined> =>
  (await caller?.post('/api/chat', {}))?.status

/** Changes the setting, and resolves once every replica applies it. */
async function limitTo(maxRequests: number): Promise<void> {
  auth.settings.rateLimits.web = { windowMinutes: 60, maxRequests }
  await sender.signal.publish('settings-changed', { version: 1 })
  const asker = await signIn('asker')
  const limitOf = async (caller: ApiCaller) => (await caller.post('/api/chat', {})).headers['ratelimit-limit']
  await expect.poll(() => Promise.all(asker.map(limitOf)), eventually).toEqual(Array(4).fill(`${maxRequests}`))
}

const ban = (userId: string): void =>
  void auth.users.set(userId, { active: true, rights: { ...plainRights, isBanned: true } })
const history = async (caller: ApiCaller | undefined): Promise<number | undefined> =>
  (await caller?.get('/api/chat/history'))?.status

function say(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(redis.url).port) })
    socket.once('error', reject)
    socket.once('data', (answer: Buffer) => {
      socket.destroy()
      resolve(answer.toString())
    })
    socket.write(`${command}\r\n`)
  })
}

describe('four gateways over one Redis', () => {
  it('admit exactly the limit of one user at ten times the load', async () => {
    const limit = 200
    await limitTo(limit)
    const ann = await signIn(`ann-${newId()}`)
    const statuses: (number | undefined)[] = []
    const callers = ann.flatMap((caller) => [caller, caller, caller, caller])
    await Promise.all(
      callers.map(async (caller) => {
        for (let call = 0; call < (10 * limit) / callers.length; call += 1) statuses.push(await send(caller))
      }),
    )
    expect(statuses).toHaveLength(10 * limit)
    expect(Math.abs(statuses.filter((status) => status === 200).length - limit)).toBeLessThanOrEqual(0.005 * limit)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  })

  it('all apply a ban whose signal reached none of them', async () => {
    const userId = newId()
    const eve = await signIn(userId)
    expect(await Promise.all(eve.map(history))).toEqual([200, 200, 200, 200])
    ban(userId)
    const reading = [...(await say('CLIENT LIST')).matchAll(/\bid=(\d+) .*name=\S+-reader /g)]
    for (const [, id] of reading) await say(`CLIENT KILL ID ${id}`)
    await sender.signal.publish('principal-changed', { userId })
    expect(reading.length).toBeGreaterThanOrEqual(4)
    await expect.poll(() => Promise.all(eve.map(history)), eventually).toEqual([403, 403, 403, 403])
  })

  it('check all users again, including readers of open streams, when signals are lost for good', async () => {
    const userId = newId()
    const [[bob], [eve]] = [await signIn('bob'), await signIn(userId)] as [ApiCaller[], ApiCaller[]]
    const finish: (() => void)[] = []
    for (const { chat } of replicas) {
      chat.answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: one\n\n')
        finish.push(() => response.end('data: two\n\n'))
      }
    }
    const open = async (caller: ApiCaller | undefined) =>
      readEvents(await (caller as ApiCaller).open('POST', '/api/chat', { body: {} }))
    const [stays, goes] = [await open(bob), await open(eve)]
    await Promise.all([stays.next(), goes.next()])
    // Each replica must have read one signal before it can miss others.
    await Promise.all(engines.map((engine) => engine.health()))
    ban(userId)
    await say('FLUSHALL')
    await expect(collect(goes)).rejects.toThrow()
    for (const end of finish) end()
    expect((await collect(stays)).map(({ data }) => data)).toEqual(['two'])
    expect(await history(eve)).toBe(403)
  })

  it('serve and limit independently while Redis is unavailable', async () => {
    await limitTo(3)
    const [caller] = await signIn(`carol-${newId()}`)
    await redis.kill('SIGKILL')
    try {
      const statuses = []
      for (let call = 0; call < 5; call += 1) statuses.push(await send(caller))
      expect(statuses).toEqual([200, 200, 200, 429, 429])
    } finally {
      await redis.start()
    }
    await expect.poll(() => engines[1]?.health().then(() => 'there', String), eventually).toBe('there')
    expect(await send(caller)).toBe(200)
  })
})
