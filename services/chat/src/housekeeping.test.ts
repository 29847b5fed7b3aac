import { createLogger } from '@parley/kit'
import { expect, it, vi } from 'vitest'
import { type Job, startHousekeeping } from './housekeeping.ts'

const log = createLogger('test', 'silent')

/** A job that counts its runs. */
function counting(name: string): { readonly job: Job; readonly runs: () => number } {
  let runs = 0
  const run = async (): Promise<void> => {
    runs += 1
  }
  return { job: { name, everyMs: 1, run }, runs: () => runs }
}

it('housekeeping runs a job again and again while another one takes for ever, and waits for that one when it is stopped', async () => {
  const quick = counting('quick')
  const slow = Promise.withResolvers<void>()
  let told: AbortSignal | undefined
  const slowJob: Job = {
    name: 'slow',
    everyMs: 1,
    run: (stopping) => {
      told = stopping
      return slow.promise
    },
  }
  const housekeeping = startHousekeeping([slowJob, quick.job], log)
  await vi.waitFor(() => expect(quick.runs()).toBeGreaterThan(3))
  let isStopped = false
  const stopping = housekeeping.stop().then(() => {
    isStopped = true
  })
  expect(told?.aborted).toBe(true)
  const runs = quick.runs()
  await new Promise(setImmediate)
  expect([isStopped, quick.runs()]).toEqual([false, runs])
  slow.resolve()
  await stopping
  expect(quick.runs()).toBe(runs)
})

it('housekeeping runs a job that failed again, and the others all the same', async () => {
  const [other, failing] = [counting('other'), counting('failing')]
  const fails: Job = {
    ...failing.job,
    run: async (stopping) => {
      await failing.job.run(stopping)
      throw new Error('The store cannot be reached')
    },
  }
  const housekeeping = startHousekeeping([fails, other.job], log)
  await vi.waitFor(() => expect([failing.runs() > 3, other.runs() > 3]).toEqual([true, true]))
  await housekeeping.stop()
})
