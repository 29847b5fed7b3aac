import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, type GivenRedis, givenRedis, rememberingLog } from './cache-redis.ts'

const minute = 60_000
let redis: GivenRedis
beforeEach(async () => {
  redis = await givenRedis()
})
afterEach(() => redis.close())

test('while Redis is stopped local fallbacks serve, and one log line reports the outage and one the recovery', async () => {
  const { engine, lines } = await redis.openSevered()
  await engine.health()
  await engine.cache.set('key', 'value', minute)
  await redis.server.kill('SIGKILL')
  await expect(engine.health()).rejects.toThrow('Redis cannot be reached')
  expect(await engine.cache.get('key')).toBeUndefined()
  await engine.cache.set('key', 'other', minute)
  await engine.cache.delete('key')
  await expect(engine.streamLog.append('s', [{ seq: 1, data: 'x' }])).rejects.toThrow('Redis cannot be reached')
  await expect(engine.signal.publish('models-changed', {})).rejects.toThrow('Redis cannot be reached')
  const limit = { points: 3, windowMs: minute }
  const allowed: boolean[] = []
  for (let call = 0; call < 5; call += 1) allowed.push((await engine.counter.consume('key', limit)).allowed)
  expect(allowed).toEqual([true, true, true, false, false])
  await redis.server.start()
  await expect.poll(() => engine.health().then(() => 'there', String), eventually).toBe('there')
  await engine.cache.set('key', 'again', minute)
  expect(await engine.cache.get('key')).toBe('again')
  expect((await engine.counter.consume('key', limit)).remaining).toBe(2)
  expect(lines).toEqual([expect.stringContaining('Redis cannot be reached'), 'Redis is back'])
})

test('a stalled connection delays no call beyond its budget', async () => {
  const { engine, proxy, lines } = await redis.openSevered({ budgetMs: 200 })
  await engine.health()
  proxy.fault({ kind: 'stall' })
  expect(await engine.cache.get('key')).toBeUndefined()
  expect((await engine.counter.consume('key', { points: 1, windowMs: minute })).allowed).toBe(true)
  expect((await engine.counter.consume('key', { points: 1, windowMs: minute })).allowed).toBe(false)
  await expect(engine.health()).rejects.toThrow('no answer within 200 milliseconds')
  expect(proxy.observed).toBeGreaterThan(0)
  proxy.fault({ kind: 'none' })
  await expect.poll(() => engine.health().then(() => 'there', String), eventually).toBe('there')
  expect(lines).toHaveLength(2)
})

test('an engine that is not reachable yet is waited for', async () => {
  await redis.server.kill('SIGTERM')
  const engine = redis.open()
  expect(await engine.cache.get('key')).toBeUndefined()
  await expect(engine.health()).rejects.toThrow('Redis cannot be reached')
  await redis.server.start()
  await expect.poll(() => engine.health().then(() => 'there', String), eventually).toBe('there')
})

test.each([
  ['becomes a read-only replica', 'REPLICAOF 127.0.0.1 1', 'REPLICAOF NO ONE', 'Redis is a read-only replica'],
  ['is full', 'CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0', 'Redis takes no writes'],
])('an engine that %s is unavailable until it recovers', async (_what, hurt, heal, says) => {
  const { engine, lines } = await redis.openSevered()
  await engine.health()
  await redis.command(hurt)
  await expect(engine.health()).rejects.toThrow(says)
  expect((await engine.counter.consume('key', { points: 1, windowMs: minute })).allowed).toBe(true)
  expect((await engine.counter.consume('key', { points: 1, windowMs: minute })).allowed).toBe(false)
  await expect(engine.streamLog.append('s', [{ seq: 1, data: 'x' }])).rejects.toThrow(says)
  await redis.command(heal)
  await expect.poll(() => engine.health().then(() => 'there', String), eventually).toBe('there')
  expect(await engine.streamLog.append('s', [{ seq: 1, data: 'x' }])).toBe(true)
  expect(lines.filter((line) => line.includes(says))).toHaveLength(1)
  expect(lines.at(-1)).toBe('Redis is back')
})

test('wrong and missing passwords are named in the log without the password', async () => {
  await redis.command('CONFIG SET requirepass right-password')
  for (const password of ['', ':wrong-password@']) {
    const { log, lines } = rememberingLog()
    const engine = redis.open({ url: redis.server.url.replace('redis://', `redis://${password}`), log })
    await expect(engine.health()).rejects.toThrow('Redis refuses these credentials')
    expect(await engine.cache.get('key')).toBeUndefined()
    expect(lines).toEqual([expect.stringContaining('Redis refuses these credentials')])
    expect(lines[0]).not.toContain('password@')
  }
  const right = redis.open({ url: redis.server.url.replace('redis://', 'redis://:right-password@') })
  await right.health()
})

test('an engine that is too old is refused, with its version', async () => {
  const sockets = new Set<Socket>()
  const old = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      for (const [, command = ''] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        socket.write(/info/i.test(command) ? '$20\r\nredis_version:5.0.14\r\n' : '+OK\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
  const engine = redis.open({ url: `redis://127.0.0.1:${(old.address() as AddressInfo).port}` })
  await expect(engine.health()).rejects.toThrow('Redis is too old (it is 5.0.14, needed is 6.2)')
  await engine.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => old.close(resolve))
})

test('two engines of one process with different options are independent', async () => {
  const [one, other] = [redis.open({ prefix: 'one' }), redis.open({ prefix: 'other:cache' })]
  await Promise.all([one.health(), other.health()])
  const got: string[] = []
  other.signal.subscribe('principal-changed', ({ userId }) => got.push(userId))
  await one.signal.publish('principal-changed', { userId: 'of one' })
  await other.signal.publish('principal-changed', { userId: 'of the other' })
  await one.cache.set('key', 'of one', minute)
  await one.streamLog.append('s', [{ seq: 1, data: 'x' }])
  expect(await other.cache.get('key')).toBeUndefined()
  expect(await other.streamLog.state('s')).toBeUndefined()
  await expect.poll(() => got, eventually).toEqual(['of the other'])
  await one.close()
  await other.health()
})
