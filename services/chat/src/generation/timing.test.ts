import { expect, it } from 'vitest'
import { defaultTiming } from './timing.ts'

it('the answer of a replica that died is found by the first sweep after its lease, within 15 s', () => {
  expect(defaultTiming.leaseMs + defaultTiming.sweepMs).toBeLessThan(15_000)
})
