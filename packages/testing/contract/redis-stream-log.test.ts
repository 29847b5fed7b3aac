import type { LogEntry, StreamLog } from '@parley/cache'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually, type GivenRedis, givenRedis } from './cache-redis.ts'

let redis: GivenRedis
beforeEach(async () => {
  redis = await givenRedis()
})
afterEach(() => redis.close())

const never = new AbortController().signal
const entry = (seq: number): LogEntry => ({ seq, data: `line ${seq}` })
const entries = (from: number, to: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_value, index) => entry(from + index))

function startReading(log: StreamLog, streamId: string, signal = never) {
  const got: LogEntry[] = []
  const reading = (async () => {
    for await (const one of log.read(streamId, 0, signal)) got.push(one)
  })()
  return { got, reading }
}

test('repeatedly cut connections lose and duplicate no entry', async () => {
  const owner = await redis.openSevered()
  const reader = await redis.openSevered()
  await Promise.all([owner.engine.health(), reader.engine.health()])
  await owner.engine.streamLog.append('s', [entry(1)])
  const { got, reading } = startReading(reader.engine.streamLog, 's')
  for (let seq = 2; seq <= 200; seq += 1) {
    if (seq % 50 === 0) owner.proxy.cutNow()
    if (seq % 50 === 25) await redis.cutReaders()
    expect(await owner.engine.streamLog.append('s', [entry(seq)])).toBe(true)
  }
  await owner.engine.streamLog.close('s')
  await reading
  expect(got).toEqual(entries(1, 200))
  expect(owner.proxy.observed).toBeGreaterThan(0)
})

test('an append whose reply was lost is not repeated', async () => {
  const { engine, proxy } = await redis.openSevered({ budgetMs: 200 })
  await engine.health()
  await engine.streamLog.append('s', [entry(1)])
  proxy.fault({ kind: 'one-way', swallow: 'to-client' })
  const appending = engine.streamLog.append('s', [entry(2)])
  await expect.poll(() => redis.command('XLEN no-such-key').then(() => proxy.observed), eventually).toBeGreaterThan(0)
  proxy.fault({ kind: 'none' })
  proxy.cutNow()
  expect(await appending).toBe(true)
  expect(await engine.streamLog.state('s')).toEqual({ lastSeq: 2, closed: false })
})

test('readers end when Redis loses a log, and its writer gets an error', async () => {
  const [owner, other] = [redis.open(), redis.open()]
  await Promise.all([owner.health(), other.health()])
  await owner.streamLog.append('s', entries(1, 3))
  const { got, reading } = startReading(other.streamLog, 's')
  await expect.poll(() => got, eventually).toEqual(entries(1, 3))
  await redis.command('FLUSHALL')
  await reading
  expect(await owner.streamLog.append('s', [entry(4)])).toBe(false)
  expect(await owner.streamLog.state('s')).toBeUndefined()
  // The log may be rewritten from its first entry.
  expect(await owner.streamLog.append('s', entries(1, 4))).toBe(true)
  const again = startReading(other.streamLog, 's')
  await expect.poll(() => again.got, eventually).toEqual(entries(1, 4))
  await owner.streamLog.close('s')
  await again.reading
})

test('readers end while Redis is unavailable, and continue after its return', async () => {
  const { engine, proxy } = await redis.openSevered()
  const owner = redis.open()
  await Promise.all([engine.health(), owner.health()])
  await owner.streamLog.append('s', entries(1, 2))
  const { got, reading } = startReading(engine.streamLog, 's')
  await expect.poll(() => got, eventually).toEqual(entries(1, 2))
  proxy.fault({ kind: 'refuse' })
  proxy.cutNow()
  await reading
  await expect(engine.streamLog.state('s')).rejects.toThrow('Redis cannot be reached')
  await expect(engine.streamLog.close('s')).rejects.toThrow('Redis cannot be reached')
  proxy.fault({ kind: 'none' })
  await expect.poll(() => engine.health().then(() => 'there', String), eventually).toBe('there')
  await owner.streamLog.append('s', entries(3, 3))
  await owner.streamLog.close('s')
  const again = startReading(engine.streamLog, 's')
  await again.reading
  expect(again.got).toEqual(entries(1, 3))
})

test('readers end when their engine is closed', async () => {
  const [owner, other] = [redis.open(), redis.open()]
  await Promise.all([owner.health(), other.health()])
  await owner.streamLog.append('s', [entry(1)])
  const { got, reading } = startReading(other.streamLog, 's')
  await expect.poll(() => got, eventually).toEqual([entry(1)])
  await other.close()
  await reading
})

test('a reader that starts while the replica waits for other logs interrupts the wait and gets existing entries', async () => {
  const [owner, other] = [redis.open(), redis.open()]
  await Promise.all([owner.health(), other.health()])
  const readers: ReturnType<typeof startReading>[] = []
  for (let nth = 1; nth <= 20; nth += 1) {
    await owner.streamLog.append(`stream ${nth}`, [entry(1)])
    const reader = startReading(other.streamLog, `stream ${nth}`)
    readers.push(reader)
    await expect.poll(() => reader.got, eventually).toEqual([entry(1)])
  }
  expect(await redis.command('INFO commandstats')).toMatch(/cmdstat_client\|unblock:calls=\d{2}/)
  for (let nth = 1; nth <= 20; nth += 1) await owner.streamLog.close(`stream ${nth}`)
  await Promise.all(readers.map(({ reading }) => reading))
})

test('a reader that lags far behind delays no other reader, and misses no entry', async () => {
  const [owner, other] = [redis.open(), redis.open()]
  await Promise.all([owner.health(), other.health()])
  const long = Array.from({ length: 300 }, (_value, index) => ({ seq: index + 1, data: `${index} `.repeat(1_000) }))
  await owner.streamLog.append('s', long.slice(0, 1))
  const slow = other.streamLog.read('s', 0, never)[Symbol.asyncIterator]()
  const rest = [(await slow.next()).value]
  const quick = startReading(other.streamLog, 's')
  for (const one of long.slice(1)) await owner.streamLog.append('s', [one])
  await owner.streamLog.close('s')
  await quick.reading
  expect(quick.got).toEqual(long)
  for (let next = await slow.next(); !next.done; next = await slow.next()) rest.push(next.value)
  expect(rest).toEqual(long)
})

test('two thousand readers of as many logs share connections', async () => {
  const [owner, other] = [redis.open(), redis.open()]
  await Promise.all([owner.health(), other.health()])
  const streams = Array.from({ length: 2_000 }, (_value, index) => `stream ${index}`)
  const inTurn = async (act: (streamId: string) => Promise<unknown>): Promise<void> => {
    for (let from = 0; from < streams.length; from += 100) await Promise.all(streams.slice(from, from + 100).map(act))
  }
  await inTurn((streamId) => owner.streamLog.append(streamId, [entry(1)]))
  const readers: ReturnType<typeof startReading>[] = []
  await inTurn(async (streamId) => {
    const reader = startReading(other.streamLog, streamId)
    readers.push(reader)
    await expect.poll(() => reader.got.length, eventually).toBe(1)
  })
  // Two per engine, and the one that sends this command.
  expect(await redis.command('INFO clients')).toContain('connected_clients:5')
  await inTurn((streamId) => owner.streamLog.append(streamId, [entry(2)]))
  await inTurn((streamId) => owner.streamLog.close(streamId))
  await Promise.all(readers.map(({ reading }) => reading))
  expect(readers.every(({ got }) => got.length === 2)).toBe(true)
})

test('a log holds the longest answer and refuses more with an error', async () => {
  const engine = redis.open()
  await engine.health()
  for (let from = 1; from < 30_000; from += 500) {
    expect(await engine.streamLog.append('s', entries(from, from + 499))).toBe(true)
  }
  await expect(engine.streamLog.append('s', [entry(30_001)])).rejects.toThrow('LOGFULL')
  await engine.streamLog.close('s')
  const { got, reading } = startReading(engine.streamLog, 's')
  await reading
  expect(got).toEqual(entries(1, 30_000))
})
