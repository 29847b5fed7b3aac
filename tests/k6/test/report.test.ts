import { expect, it } from 'vitest'
import { iterationsOf, linesOf, type Summary } from '../src/report.ts'

const rate = { type: 'rate', contains: 'default' } as const

it('figures of a load test are marked by their thresholds, crossed ones with the rule', () => {
  const summary: Summary = {
    metrics: {
      checks: { ...rate, values: { rate: 0.5 }, thresholds: { 'rate>0.999': { ok: false } } },
      http_req_failed: { ...rate, values: { rate: 0 }, thresholds: { 'rate<0.001': { ok: true } } },
      data_sent: { type: 'counter', contains: 'data', values: { count: 1, rate: 1 } },
    },
  }
  expect(linesOf(summary)).toEqual(['✗ checks: 50.00 %, not rate>0.999', '✓ http_req_failed: 0.00 %'])
})

it('a load test without a completed iteration is detected, although no threshold is crossed', () => {
  expect(iterationsOf({ metrics: { checks: { ...rate, values: { rate: 0 } } } })).toBe(0)
  const iterations = { type: 'counter', contains: 'default', values: { count: 7, rate: 1 } } as const
  expect(iterationsOf({ metrics: { iterations } })).toBe(7)
})
