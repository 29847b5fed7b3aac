import type { CacheEngine } from '@parley/cache'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, type GivenRedis, givenRedis } from './cache-redis.ts'

let redis: GivenRedis
beforeEach(async () => {
  redis = await givenRedis()
})
afterEach(() => redis.close())

/** The signals received by an engine, in order; `missed` marks a notice of missed signals. */
function receive({ signal }: CacheEngine): string[] {
  const got: string[] = []
  signal.subscribe('principal-changed', ({ userId }) => got.push(userId))
  signal.onMissed(() => got.push('missed'))
  return got
}

/** Whether publishing succeeded: an engine that has just recovered may still be briefly unavailable. */
const published = ({ signal }: CacheEngine, userId: string): Promise<boolean> =>
  signal.publish('principal-changed', { userId }).then(
    () => true,
    () => false,
  )

async function openReady(): Promise<CacheEngine> {
  const engine = redis.open()
  await engine.health()
  return engine
}

/**
 * Rewrites the history as if each entry had been published that many milliseconds earlier. Returns the number of histories, or an error for one
 * with a TTL.
 */
const ageHistory = `
local aged = 0
for _, key in ipairs(redis.call('KEYS', '*')) do
  if redis.call('TYPE', key).ok == 'stream' then
    if redis.call('PTTL', key) ~= -1 then return redis.error_reply('it expires') end
    local rows = redis.call('XRANGE', key, '-', '+')
    redis.call('DEL', key)
    for _, row in ipairs(rows) do
      local ms, nth = string.match(row[1], '(%d+)-(%d+)')
      redis.call('XADD', key, string.format('%.0f-%s', ms - ARGV[1], nth), unpack(row[2]))
    end
    aged = aged + 1
  end
end
return aged`.replaceAll('\n', ' ')

const users = (count: number): string[] => Array.from({ length: count }, (_value, index) => `user ${index}`)

test('control signals published while no reader is connected are read from the history, in order and once', async () => {
  const [sender, receiver] = [await openReady(), await openReady()]
  const got = receive(receiver)
  let killed = 0
  for (const [index, userId] of users(50).entries()) {
    if (index % 10 === 0) killed += await redis.cutReaders()
    await sender.signal.publish('principal-changed', { userId })
  }
  await expect.poll(() => got.length, eventually).toBe(50)
  expect(got).toEqual(users(50))
  expect(killed).toBeGreaterThan(0)
})

test('a ban of half a minute ago reaches a replica that was disconnected since, even if the history has grown', async () => {
  const sender = await openReady()
  const { engine: receiver, proxy } = await redis.openSevered()
  await receiver.health()
  const got = receive(receiver)
  proxy.fault({ kind: 'refuse' })
  proxy.cutNow()
  await sender.signal.publish('principal-changed', { userId: 'mallory' })
  expect((await redis.command(`EVAL "${ageHistory}" 0 30000`)).trim()).toBe(':1')
  await sender.signal.publish('principal-changed', { userId: 'trent' })
  // Enough failed reconnects to reach the longest backoff.
  const inVain = proxy.observed + 12
  await expect.poll(() => proxy.observed, eventually).toBeGreaterThan(inVain)
  proxy.fault({ kind: 'none' })
  await expect.poll(() => got.filter((userId) => userId !== 'missed'), eventually).toEqual(['mallory', 'trent'])
})

test('signals held back by a stalled connection arrive once it recovers', async () => {
  const sender = await openReady()
  const { engine: receiver, proxy } = await redis.openSevered({ budgetMs: 200 })
  await receiver.health()
  const got = receive(receiver)
  proxy.fault({ kind: 'one-way', swallow: 'to-client' })
  await sender.signal.publish('principal-changed', { userId: 'one' })
  await expect.poll(() => proxy.observed, eventually).toBeGreaterThan(0)
  await sender.signal.publish('principal-changed', { userId: 'two' })
  proxy.fault({ kind: 'none' })
  await expect.poll(() => got.filter((userId) => userId !== 'missed'), eventually).toEqual(['one', 'two'])
})

test('after FLUSHALL receivers are notified that signals were missed, and get later ones', async () => {
  const [sender, receiver] = [await openReady(), await openReady()]
  const got = receive(receiver)
  await sender.signal.publish('principal-changed', { userId: 'before' })
  await expect.poll(() => got, eventually).toEqual(['before'])
  await redis.command('FLUSHALL')
  await sender.signal.publish('principal-changed', { userId: 'after' })
  await expect.poll(() => got, eventually).toEqual(['before', 'missed', 'after'])
})

test('after a restart of Redis receivers are notified that signals were missed', async () => {
  const [sender, receiver] = [await openReady(), await openReady()]
  const got = receive(receiver)
  await sender.signal.publish('principal-changed', { userId: 'before' })
  await expect.poll(() => got, eventually).toEqual(['before'])
  await redis.server.kill('SIGKILL')
  await redis.server.start()
  await expect.poll(() => got, eventually).toContain('missed')
  await expect.poll(() => published(sender, 'after'), eventually).toBe(true)
  await expect.poll(() => got, eventually).toContain('after')
})

test('after Redis has hung receivers are notified that publishing may have failed', async () => {
  const receiver = redis.open({ budgetMs: 200 })
  await receiver.health()
  const got = receive(receiver)
  await receiver.streamLog.append('s', [{ seq: 1, data: 'x' }])
  const reading = receiver.streamLog.read('s', 1, new AbortController().signal)[Symbol.asyncIterator]().next()
  redis.server.freeze()
  // Readers of logs end once Redis has been unavailable for a while.
  await reading
  expect(got).toEqual([])
  redis.server.thaw()
  await expect.poll(() => got, eventually).toEqual(['missed'])
})

test('more missed signals than the history holds are reported as missed', async () => {
  const sender = await openReady()
  const { engine: receiver, proxy } = await redis.openSevered()
  await receiver.health()
  const got = receive(receiver)
  proxy.fault({ kind: 'refuse' })
  proxy.cutNow()
  for (const userId of users(1_100)) await sender.signal.publish('principal-changed', { userId })
  expect(got).toEqual([])
  proxy.fault({ kind: 'none' })
  await expect.poll(() => got, eventually).toEqual(['missed', ...users(1_100).slice(100)])
})

test('when a replica could not publish, all receivers are notified once it can again', async () => {
  const receiver = await openReady()
  const { engine: sender, proxy } = await redis.openSevered()
  await sender.health()
  const got = receive(receiver)
  proxy.fault({ kind: 'refuse' })
  proxy.cutNow()
  await expect(sender.signal.publish('principal-changed', { userId: 'lost' })).rejects.toThrow('Redis')
  expect(got).toEqual([])
  proxy.fault({ kind: 'none' })
  await expect.poll(() => got, eventually).toEqual(['missed'])
})

test('a handler of missed signals that throws affects no other handler', async () => {
  const [sender, receiver] = [await openReady(), await openReady()]
  receiver.signal.onMissed(() => {
    throw new Error('broken handler')
  })
  const got = receive(receiver)
  await sender.signal.publish('principal-changed', { userId: 'before' })
  await expect.poll(() => got, eventually).toEqual(['before'])
  await redis.command('FLUSHALL')
  await expect.poll(() => got, eventually).toEqual(['before', 'missed'])
})

test('a hint that could not be published clears no cache', async () => {
  const receiver = await openReady()
  const { engine: sender, proxy } = await redis.openSevered()
  await sender.health()
  const got = receive(receiver)
  proxy.fault({ kind: 'refuse' })
  proxy.cutNow()
  const stop = { messageId: 'm', reason: 'user' } as const
  await expect(sender.signal.publish('generation-stop', stop)).rejects.toThrow('Redis')
  const changed = { userId: 'u', chatId: 'c', kind: 'message' } as const
  await expect(sender.signal.publish('chat-changed', changed)).rejects.toThrow('Redis')
  proxy.fault({ kind: 'none' })
  // Once the engine is healthy, it has reported its failed publications.
  await expect.poll(() => sender.health().then(() => 'there', String), eventually).toBe('there')
  await sender.signal.publish('principal-changed', { userId: 'after' })
  await expect.poll(() => got, eventually).toContain('after')
  expect(got).toEqual(['after'])
})

test('a briefly disconnected replica is notified that it may have missed hints, and receives new ones', async () => {
  const [sender, receiver] = [await openReady(), await openReady()]
  let missed = 0
  const got: string[] = []
  receiver.signal.subscribe('generation-stop', ({ messageId }) => got.push(messageId))
  const stopped = (messageId: string) => sender.signal.publish('generation-stop', { messageId, reason: 'user' })
  const hears = async (messageId: string): Promise<boolean> => {
    await stopped(messageId)
    return got.includes(messageId)
  }
  await expect.poll(() => hears('before'), eventually).toBe(true)
  receiver.signal.onHintsMissed(() => {
    missed += 1
  })
  await redis.command('CLIENT KILL TYPE pubsub')
  await expect.poll(() => missed, eventually).toBe(1)
  await stopped('after')
  await expect.poll(() => got, eventually).toContain('after')
})
