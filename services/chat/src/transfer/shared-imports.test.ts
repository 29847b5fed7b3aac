import { openMemoryHub, type StreamLog } from '@parley/cache'
import type { ImportOutcome } from '@parley/contracts'
import { AppError, unavailable } from '@parley/kit'
import { testLog } from '@parley/testing'
import { expect, it } from 'vitest'
import type { ImportProgress, Share, Work } from './import-jobs.ts'
import { readImportEntry, shareImports } from './shared-imports.ts'

const outcome: ImportOutcome = { imported: 3, skipped: 0, chatIds: ['a'] }
const refusal = { error: 'Too much', code: 'payload_too_large' } as const
const away = { error: 'Later', code: 'unavailable' } as const
const progress = (done: number): ImportProgress => ({ done, total: 3 })

it.each([
  { title: 'is running', entry: '', before: { kind: 'running' }, now: { kind: 'running' } },
  {
    title: 'is so far',
    entry: JSON.stringify({ progress: progress(1) }),
    before: { kind: 'running', progress: progress(1) },
    now: { kind: 'running', progress: progress(1) },
  },
  {
    title: 'had an outcome',
    entry: JSON.stringify(outcome),
    before: { kind: 'free' },
    now: { kind: 'ended', end: outcome },
  },
  {
    title: 'was refused',
    entry: JSON.stringify(refusal),
    before: { kind: 'free' },
    now: { kind: 'ended', end: refusal },
  },
  {
    title: 'was given up by its replica',
    entry: JSON.stringify(away),
    before: { kind: 'free' },
    now: { kind: 'free' },
  },
])('an entry means that the import $title', ({ entry, before, now }) => {
  expect([readImportEntry(entry, false), readImportEntry(entry, true)]).toEqual([before, now])
})

const givenLog = (): StreamLog => openMemoryHub({ log: testLog }).open('chat').streamLog
const replica = (streamLog: StreamLog, leaseMs = 300_000) =>
  shareImports({ streamLog, timing: { checkpointMs: 5, leaseMs }, log: testLog })

/** A try of one import at a replica, whose own run is what the test makes of it. */
function tryAt(share: Share<ImportOutcome>) {
  const end = Promise.withResolvers<ImportOutcome>()
  const stopping = new AbortController()
  const seen: ImportProgress[] = []
  let report: Parameters<Work<ImportOutcome>>[0] | undefined
  const work: Work<ImportOutcome> = (onProgress) => {
    report = onProgress
    return end.promise
  }
  const result = share('key', work, (at) => seen.push(at), stopping.signal)
  result.catch(() => undefined)
  const runs = (): boolean => report !== undefined
  return { end, result, seen, stopping, runs, report: (done: number) => report?.(progress(done)) }
}
/** One that runs. */
async function runningAt(share: Share<ImportOutcome>) {
  const tried = tryAt(share)
  await expect.poll(tried.runs).toBe(true)
  return tried
}

it('an import that runs on one replica is followed by another, which gets its progress and its outcome', async () => {
  const log = givenLog()
  const first = await runningAt(replica(log))
  const second = tryAt(replica(log))
  first.report(2)
  await expect.poll(() => second.seen).toContainEqual(progress(2))
  first.end.resolve(outcome)
  expect(await Promise.all([first.result, second.result])).toEqual([outcome, outcome])
  expect(second.runs()).toBe(false)
})

it('of replicas that are asked for an import at the same moment one runs it', async () => {
  const log = givenLog()
  const tries = Array.from({ length: 4 }, () => tryAt(replica(log)))
  await expect.poll(() => tries.some(({ runs }) => runs())).toBe(true)
  for (const { end } of tries) end.resolve(outcome)
  expect(await Promise.all(tries.map(({ result }) => result))).toEqual(tries.map(() => outcome))
  expect(tries.filter(({ runs }) => runs())).toHaveLength(1)
})

it('the refusal of an import reaches the replicas that follow it, and the next try runs anew', async () => {
  const log = givenLog()
  const first = await runningAt(replica(log))
  const second = tryAt(replica(log))
  first.report(1)
  await expect.poll(() => second.seen).toHaveLength(1)
  first.end.reject(new AppError(refusal.code, refusal.error))
  for (const { result } of [first, second]) {
    await expect(result).rejects.toMatchObject({ code: refusal.code, message: refusal.error })
  }
  const third = await runningAt(replica(log))
  third.end.resolve(outcome)
  expect(await third.result).toEqual(outcome)
})

it('an import that its replica gives up is run by a replica that follows it', async () => {
  const log = givenLog()
  const first = await runningAt(replica(log))
  const second = tryAt(replica(log))
  first.report(1)
  await expect.poll(() => second.seen).toHaveLength(1)
  first.end.reject(unavailable())
  await expect.poll(second.runs).toBe(true)
  second.end.resolve(outcome)
  expect(await second.result).toEqual(outcome)
})

it('an import whose replica is silent for a lease is run by a replica that follows it', async () => {
  const log = givenLog()
  await log.append('import-key', [{ seq: 1, data: JSON.stringify({ progress: progress(2) }) }])
  const second = await runningAt(replica(log, 20))
  expect(second.seen).toEqual([progress(2)])
  second.end.resolve(outcome)
  expect(await second.result).toEqual(outcome)
})

it('a replica that stops follows no import any more, and does not take it from the replica that runs it', async () => {
  const log = givenLog()
  const first = await runningAt(replica(log))
  const second = tryAt(replica(log))
  second.stopping.abort(unavailable())
  await expect(second.result).rejects.toMatchObject({ code: 'unavailable' })
  const third = tryAt(replica(log))
  first.report(2)
  await expect.poll(() => third.seen).toEqual([progress(2)])
  first.end.resolve(outcome)
  expect(await third.result).toEqual(outcome)
  expect([second, third].map(({ runs }) => runs())).toEqual([false, false])
})

it('replicas that reach no log run the import each by itself', async () => {
  const gone = async (): Promise<never> => {
    throw new Error('Away')
  }
  const log: StreamLog = { ...givenLog(), append: gone, state: gone }
  const tries = await Promise.all([runningAt(replica(log)), runningAt(replica(log))])
  for (const { end } of tries) end.resolve(outcome)
  expect(await Promise.all(tries.map(({ result }) => result))).toEqual([outcome, outcome])
})
