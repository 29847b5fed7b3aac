import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recordedLog } from '../../test/recorded-log.ts'
import { every } from './every.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a job runs again a period after its last run has ended, without overlap', async () => {
  const runs: PromiseWithResolvers<void>[] = []
  const job = () => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    return run.promise
  }
  const periodic = every(100, job, { name: 'test', firstMs: 10, log: recordedLog().log })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toHaveLength(0)
  periodic.start()
  await vi.advanceTimersByTimeAsync(9)
  expect(runs).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toHaveLength(1)
  runs[0]?.resolve()
  await vi.advanceTimersByTimeAsync(99)
  expect(runs).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toHaveLength(2)
})

it('stopping a job signals the present run, waits for it and starts no other', async () => {
  const slow = Promise.withResolvers<void>()
  const job = vi.fn((_stopping: AbortSignal) => slow.promise)
  const periodic = every(100, job, { name: 'test', firstMs: 0, log: recordedLog().log })
  periodic.start()
  let isStopped = false
  const stopping = periodic.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect([job.mock.calls[0]?.[0].aborted, isStopped]).toEqual([true, false])
  slow.resolve()
  await stopping
  await vi.advanceTimersByTimeAsync(1_000)
  expect(job).toHaveBeenCalledTimes(1)
})

it('a job stopped before its first run never runs', async () => {
  const job = vi.fn(async () => undefined)
  const periodic = every(100, job, { name: 'test', log: recordedLog().log })
  periodic.start()
  await periodic.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(job).not.toHaveBeenCalled()
})

it('a failed job is logged by its name and runs again', async () => {
  const { log, lines } = recordedLog()
  const job = vi.fn(() => Promise.reject(new Error('The store cannot be reached')))
  const periodic = every(100, job, { name: 'sweep', log })
  periodic.start()
  await vi.advanceTimersByTimeAsync(300)
  await periodic.stop()
  expect(job).toHaveBeenCalledTimes(3)
  expect(lines.map(({ job: name, msg }) => [name, msg])).toEqual(
    Array(3).fill(['sweep', 'a periodic job failed; its next run tries again']),
  )
})
