import type { Credits } from '@parley/contracts'
import { expect, it } from 'vitest'
import { meterOf } from './meter.ts'

const credits = (fields: Partial<Credits>, monthlyCredits = 100): Credits => ({
  plan: { id: 'free', name: 'Free', description: '', monthlyCredits },
  remaining: 0,
  held: 0,
  used: 0,
  resetDate: '2030-01-01T00:00:00Z',
  unlimited: false,
  ...fields,
})

it('shows the month’s remaining credits', () => {
  expect(meterOf(credits({ remaining: 381, used: 619 }, 1000))).toEqual({
    type: 'limited',
    remaining: 381,
    total: 1000,
    granted: 0,
    share: 0.381,
    low: false,
  })
})

it('warns from 80 percent of use', () => {
  expect(meterOf(credits({ remaining: 21, used: 79 }))).toMatchObject({ low: false })
  expect(meterOf(credits({ remaining: 20, used: 80 }))).toMatchObject({ low: true })
})

it('keeps its total while granted credits are held, released and spent', () => {
  const states = [
    { remaining: 150 },
    { remaining: 140, held: 10 },
    { remaining: 150 },
    { remaining: 130, held: 10, used: 10 },
    { remaining: 60, used: 90 },
  ]
  for (const state of states) expect(meterOf(credits(state))).toMatchObject({ total: 150, granted: 50 })
  expect(meterOf(credits({ remaining: 75, used: 75 }))).toMatchObject({ share: 0.5, low: false })
})

it('shows the whole plan if it grants more from next month', () => {
  expect(meterOf(credits({ remaining: 80, used: 20 }, 200))).toMatchObject({ total: 200, granted: 0, share: 0.4 })
})

it('is empty, not undefined, for a plan without credits', () => {
  expect(meterOf(credits({}, 0))).toMatchObject({ share: 0, low: true })
})

it('is unlimited for users who are not charged', () => {
  expect(meterOf(credits({ unlimited: true }))).toEqual({ type: 'unlimited' })
})
