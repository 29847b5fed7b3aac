import { expect, test } from 'vitest'
import type { LogEntry, StreamLog } from '../ports.ts'
import { type CacheHarness, eventually } from './harness.ts'

const entries = (from: number, to: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_value, index) => ({ seq: from + index, data: `line ${from + index}` }))

const never = new AbortController().signal

/** Reads to the end, in the background. */
function startReading(log: StreamLog, streamId: string, afterSeq: number, signal = never) {
  const got: LogEntry[] = []
  const reading = (async () => {
    for await (const entry of log.read(streamId, afterSeq, signal)) got.push(entry)
  })()
  return { got, reading }
}

/** Contiguity, fencing, readers, expiry. */
export function streamLogContract(harness: () => CacheHarness): void {
  const openLogs = async (): Promise<[StreamLog, StreamLog]> => [
    (await harness().openReplica('chat')).streamLog,
    (await harness().openReplica('realtime')).streamLog,
  ]

  test('a reader on another replica gets the existing entries and then new ones, until the log is closed', async () => {
    const [owner, other] = await openLogs()
    expect(await owner.append('s', entries(1, 3))).toBe(true)
    const { got, reading } = startReading(other, 's', 0)
    await expect.poll(() => got, eventually).toEqual(entries(1, 3))
    expect(await owner.append('s', entries(4, 5))).toBe(true)
    await expect.poll(() => got, eventually).toEqual(entries(1, 5))
    await owner.append('s', entries(6, 6))
    await owner.close('s')
    await reading
    expect(got).toEqual(entries(1, 6))
  })

  test('a reader starts after a given entry, also of a closed log', async () => {
    const [owner, other] = await openLogs()
    await owner.append('s', entries(1, 9))
    await owner.close('s')
    const { got, reading } = startReading(other, 's', 7)
    const past = startReading(other, 's', 9)
    await Promise.all([reading, past.reading])
    expect(got).toEqual(entries(8, 9))
    expect(past.got).toEqual([])
  })

  test('the state of a log is its last entry and whether it is closed', async () => {
    const [owner, other] = await openLogs()
    expect(await other.state('s')).toBeUndefined()
    await owner.append('s', entries(1, 2))
    expect(await other.state('s')).toEqual({ lastSeq: 2, closed: false })
    await owner.close('s')
    await owner.close('s')
    expect(await other.state('s')).toEqual({ lastSeq: 2, closed: true })
  })

  test.each([
    ['that leave a gap', entries(4, 5)],
    ['that are there already', entries(2, 2)],
    ['with a gap among them', [...entries(3, 3), ...entries(5, 5)]],
  ])('an append of entries %s is refused, and writes nothing', async (_reason, refused) => {
    const [owner, other] = await openLogs()
    await owner.append('s', entries(1, 2))
    expect(await other.append('s', refused)).toBe(false)
    expect(await owner.state('s')).toEqual({ lastSeq: 2, closed: false })
    expect(await owner.append('s', entries(3, 3))).toBe(true)
  })

  test('a log starts at 1', async () => {
    const [owner] = await openLogs()
    expect(await owner.append('s', entries(2, 2))).toBe(false)
    expect(await owner.state('s')).toBeUndefined()
  })

  test('of two concurrent writers one gets each number', async () => {
    const logs = await openLogs()
    const results = await Promise.all(
      entries(1, 50).flatMap((entry) => logs.map((log, owner) => log.append('s', [{ ...entry, data: `${owner}` }]))),
    )
    const { lastSeq } = (await logs[0].state('s')) ?? { lastSeq: 0 }
    expect(results.filter(Boolean)).toHaveLength(lastSeq)
    await logs[0].close('s')
    const { got, reading } = startReading(logs[1], 's', 0)
    await reading
    expect(got.map(({ seq }) => seq)).toEqual(Array.from({ length: lastSeq }, (_value, index) => index + 1))
  })

  test('a closed log accepts no more entries, even one that was never written', async () => {
    const [owner, sweeper] = await openLogs()
    await owner.append('written', entries(1, 1))
    for (const [streamId, next] of [
      ['written', 2],
      ['unwritten', 1],
    ] as const) {
      await sweeper.close(streamId)
      expect(await owner.append(streamId, entries(next, next))).toBe(false)
      expect(await owner.state(streamId)).toEqual({ lastSeq: next - 1, closed: true })
    }
  })

  test('a slow reader misses no entry and delays no other reader', async () => {
    const [owner, other] = await openLogs()
    await owner.append('s', entries(1, 1))
    const slow = other.read('s', 0, never)[Symbol.asyncIterator]()
    expect((await slow.next()).value).toEqual(entries(1, 1)[0])
    const quick = startReading(other, 's', 0)
    for (let from = 2; from < 1_000; from += 100) await owner.append('s', entries(from, from + 99))
    await owner.close('s')
    await quick.reading
    expect(quick.got).toEqual(entries(1, 1_001))
    const rest: LogEntry[] = []
    for (let next = await slow.next(); !next.done; next = await slow.next()) rest.push(next.value)
    expect(rest).toEqual(entries(2, 1_001))
  })

  test('a reader from an entry far beyond the end of a log waits for what follows it, and affects no other reader', async () => {
    const [owner, other] = await openLogs()
    await owner.append('s', entries(1, 3))
    const [far, near] = [startReading(other, 's', 1e21), startReading(other, 's', 2)]
    await expect.poll(() => near.got, eventually).toEqual(entries(3, 3))
    await owner.append('s', entries(4, 4))
    await owner.close('s')
    await Promise.all([far.reading, near.reading])
    expect([far.got, near.got]).toEqual([[], entries(3, 4)])
  })

  test('a reader ends when it is aborted, and at once if it was aborted before', async () => {
    const [owner, other] = await openLogs()
    await owner.append('s', entries(1, 1))
    const leaving = new AbortController()
    const { got, reading } = startReading(other, 's', 0, leaving.signal)
    await expect.poll(() => got, eventually).toEqual(entries(1, 1))
    leaving.abort()
    await reading
    const late = startReading(other, 's', 0, AbortSignal.abort())
    await late.reading
    expect(late.got).toEqual([])
  })

  test('a log that does not exist has no entries', async () => {
    const [log] = await openLogs()
    const { got, reading } = startReading(log, 'unknown', 0)
    await reading
    expect(got).toEqual([])
  })

  test('a log expires after its last write, and its readers end', async () => {
    const [{ streamLog: owner }, { streamLog: other }] = await harness().openShortLived()
    await owner.append('s', entries(1, 2))
    await owner.append('closed', entries(1, 1))
    await owner.close('closed')
    const { got, reading } = startReading(other, 's', 0)
    await reading
    expect(got).toEqual(entries(1, 2))
    await expect.poll(() => owner.state('s'), eventually).toBeUndefined()
    await expect.poll(() => owner.state('closed'), eventually).toBeUndefined()
  })

  test('one replica follows 200 logs at once, and its readers get all of each', async () => {
    const [owner, other] = await openLogs()
    const streams = Array.from({ length: 200 }, (_value, index) => `stream ${index}`)
    await Promise.all(streams.map((streamId) => owner.append(streamId, entries(1, 1))))
    const readers = streams.map((streamId) => startReading(other, streamId, 0))
    for (let seq = 2; seq <= 5; seq += 1) {
      await Promise.all(streams.map((streamId) => owner.append(streamId, entries(seq, seq))))
    }
    await expect.poll(() => readers.every(({ got }) => got.length === 5), eventually).toBe(true)
    await Promise.all(streams.map((streamId) => owner.close(streamId)))
    await Promise.all(readers.map(({ reading }) => reading))
    for (const { got } of readers) expect(got).toEqual(entries(1, 5))
  })

  test('readers of one log that start at different entries each get the following ones', async () => {
    const [owner, other] = await openLogs()
    for (let seq = 1; seq <= 300; seq += 3) await owner.append('s', entries(seq, seq + 2))
    const starts = [0, 299, 100, 299, 0]
    const readers = starts.map((afterSeq) => startReading(other, 's', afterSeq))
    for (let seq = 301; seq <= 320; seq += 1) await owner.append('s', entries(seq, seq))
    await owner.close('s')
    await Promise.all(readers.map(({ reading }) => reading))
    for (const [index, { got }] of readers.entries()) expect(got).toEqual(entries((starts[index] ?? 0) + 1, 320))
  })

  test('readers get entries of their own log only', async () => {
    const [owner, other] = await openLogs()
    await owner.append('a', entries(1, 1))
    expect(await owner.append('b', entries(1, 2))).toBe(true)
    expect(await other.state('a')).toEqual({ lastSeq: 1, closed: false })
  })
}
