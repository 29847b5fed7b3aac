import { expect, it } from 'vitest'
import { levelOf, levelsUpTo, tableOf } from '../src/capacity.ts'
import type { Summary } from '../src/report.ts'

const summary = (p95: number, ok: boolean, count = 60): Summary => ({
  metrics: {
    answer_first_byte: {
      ...{ type: 'trend', contains: 'time', values: { 'p(95)': p95 } },
      thresholds: { 'p(95)<1500': { ok } },
    },
    iterations: { type: 'counter', contains: 'default', values: { count, rate: count / 60 } },
  },
})
const work = [
  { service: 'chat', processors: 0.3, eventLoopLagSeconds: 0 },
  { service: 'gateway', processors: 0.2, eventLoopLagSeconds: 0 },
]

it('the levels of a capacity test double up to the peak, which is the last', () => {
  expect(levelsUpTo(50)).toEqual([5, 10, 20, 40, 50])
  expect(levelsUpTo(10)).toEqual([5, 10])
  expect(levelsUpTo(3)).toEqual([3])
})

it('a capacity test counts the users of the last level that met all thresholds, by the processors used', () => {
  const levels = [5, 10, 20].map((users) => levelOf(users, summary(users * 100, users < 20), work))
  expect(tableOf(levels).slice(2)).toEqual([
    '| 5 | 1.0 | 500 ms | 0.50 | yes |',
    '| 10 | 1.0 | 1000 ms | 0.50 | yes |',
    '| 20 | 1.0 | 2000 ms | 0.50 | no |',
    'Served at once: 10, 20 per processor that Parley used',
  ])
})

it('a level of a capacity test in which nothing was completed is not served', () => {
  expect(levelOf(5, summary(0, true, 0), work).isServed).toBe(false)
})

it('a capacity test without metrics says how users per processor are found', () => {
  expect(tableOf([levelOf(5, summary(100, true), [])]).at(-1)).toContain(
    'Served at once: 5 (for users per processor give --metrics',
  )
})
