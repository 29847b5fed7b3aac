import type { Credits } from '@parley/contracts'
import { expect, it } from 'vitest'
import { meterOf } from './meter.ts'

const credits = (remaining: number, monthlyCredits: number, unlimited = false): Credits => ({
  plan: { id: 'free', name: 'Free', description: '', monthlyCredits },
  remaining,
  held: 0,
  used: 0,
  resetDate: '2030-01-01T00:00:00Z',
  unlimited,
})

it('shows what is left of the month', () => {
  expect(meterOf(credits(381, 1000))).toEqual({
    type: 'limited',
    remaining: 381,
    monthly: 1000,
    share: 0.381,
    low: false,
  })
})

it('warns from 80 percent of use on', () => {
  expect(meterOf(credits(21, 100))).toMatchObject({ low: false })
  expect(meterOf(credits(20, 100))).toMatchObject({ low: true })
})

it('never shows more than a full bar when grants exceed the plan', () => {
  expect(meterOf(credits(150, 100))).toMatchObject({ monthly: 150, share: 1 })
})

it('is empty, not undefined, for a plan without credits', () => {
  expect(meterOf(credits(0, 0))).toMatchObject({ share: 0, low: true })
})

it('has no limit for whom nothing is charged', () => {
  expect(meterOf(credits(0, 0, true))).toEqual({ type: 'unlimited' })
})
