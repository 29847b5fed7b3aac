import { expect, it } from 'vitest'
import { daysAgo } from './days-ago.ts'

const at = (day: number, hour: number): string => new Date(2026, 4, day, hour).toISOString()
const now = new Date(2026, 4, 31, 0, 30)

it.each([
  [at(31, 0), 'today', 0],
  [new Date(2026, 4, 30, 23, 59).toISOString(), 'yesterday', 1],
  [at(30, 1), 'yesterday', 1],
  [at(29, 23), 'days', 2],
  [at(25, 12), 'days', 6],
  [at(24, 23), 'weeks', 1],
  [at(11, 12), 'weeks', 2],
  [new Date(2026, 5, 2).toISOString(), 'today', 0],
])('a chat shared at %s was shared %s (%i) by the calendar of the visitor', (iso, unit, count) => {
  expect(daysAgo(iso, now)).toEqual({ unit, count })
})
