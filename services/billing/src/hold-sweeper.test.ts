import { createLogger, unavailable } from '@parley/kit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createHoldSweeper } from './hold-sweeper.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A sweeper of this many expired holds, whose owners renew none, and of old ones. */
function givenExpired(holds: number, old = 0) {
  const state = { holds, old, areAway: false }
  const ask = async <T>(answer: () => T): Promise<T> => {
    if (state.areAway) throw unavailable()
    return answer()
  }
  const credits = {
    releaseExpired: (limit: number) =>
      ask(() => {
        const released = Math.min(limit, state.holds)
        state.holds -= released
        return released
      }),
    countOpen: () => ask(() => ({ open: state.holds, overdue: 0 })),
    forgetOver: async (_days: number, limit: number) => {
      const forgotten = Math.min(limit, state.old)
      state.old -= forgotten
      return forgotten
    },
  }
  const log = createLogger('test', 'silent')
  const sweeper = createHoldSweeper({ credits, retentionDays: 90, log, times: { firstMs: 30_000, everyMs: 5_000 } })
  sweeper.start()
  return { state, sweeper }
}

it('one sweep releases all expired holds, however many a dead replica has left', async () => {
  const { state, sweeper } = givenExpired(1_234)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(state.holds).toBe(0)
  await sweeper.stop()
})

it('sweeps delete the old holds of a day, with one generation per second, within two minutes', async () => {
  const { state, sweeper } = givenExpired(0, 86_400)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(state.old).toBe(0)
  await sweeper.stop()
})

it('after an outage of the database, in which no hold could be renewed, owners have as long as after a start', async () => {
  const { state, sweeper } = givenExpired(0)
  await vi.advanceTimersByTimeAsync(31_000)
  Object.assign(state, { areAway: true, holds: 3 })
  await vi.advanceTimersByTimeAsync(120_000)
  state.areAway = false
  await vi.advanceTimersByTimeAsync(29_000)
  expect(state.holds).toBe(3)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(state.holds).toBe(0)
  await sweeper.stop()
})

it('a short failure of the database, in which no hold of a living owner expires, delays nothing', async () => {
  const { state, sweeper } = givenExpired(0)
  await vi.advanceTimersByTimeAsync(31_000)
  Object.assign(state, { areAway: true, holds: 3 })
  await vi.advanceTimersByTimeAsync(20_000)
  state.areAway = false
  await vi.advanceTimersByTimeAsync(6_000)
  expect(state.holds).toBe(0)
  await sweeper.stop()
})
