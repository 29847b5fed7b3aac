import type { DataExport } from '@parley/contracts'
import { expect, it } from 'vitest'
import { stepOf, timeLeft } from './export-state.ts'

const at = (ms: number): string => new Date(ms).toISOString()
const ready: DataExport = {
  id: 'e1',
  state: 'ready',
  requestedAt: at(0),
  expiresAt: at(1_000),
  progress: { done: 4, total: 4 },
}

it('the state of a data export is shown, including an expired link', () => {
  expect(stepOf(null, 0)).toBe('none')
  expect(stepOf({ ...ready, state: 'collecting', expiresAt: null }, 5_000)).toBe('collecting')
  expect(stepOf(ready, 999)).toBe('ready')
  expect(stepOf(ready, 1_000)).toBe('expired')
})

it('the remaining time is shown in minutes, in hours up to 48, then in days, rounded up', () => {
  expect(timeLeft(null, 0, 'en')).toBeNull()
  expect(timeLeft(at(500), 500, 'en')).toBeNull()
  expect(timeLeft(at(1), 0, 'en')).toBe('in 1 minute')
  expect(timeLeft(at(60_001), 0, 'en')).toBe('in 2 minutes')
  expect(timeLeft(at(23 * 3_600_000 + 1), 0, 'en')).toBe('in 24 hours')
  expect(timeLeft(at(25 * 3_600_000), 0, 'en')).toBe('in 25 hours')
  expect(timeLeft(at(48 * 3_600_000), 0, 'en')).toBe('in 48 hours')
  expect(timeLeft(at(48 * 3_600_000 + 1), 0, 'en')).toBe('in 3 days')
})
