import { expect, it } from 'vitest'
import { createTokenBucket, createTokenBuckets } from './token-bucket.ts'

const takes = (tries: number, take: () => boolean): number => Array.from({ length: tries }, take).filter(Boolean).length

it('a token bucket allows a burst, which time refills but never enlarges, and refusals do not postpone', () => {
  let now = 0
  const take = createTokenBucket({ burst: 3, perSecond: 2 }, () => now)
  expect(takes(9, take)).toBe(3)
  now += 1_000
  expect(takes(9, take)).toBe(2)
  now += 3_600_000
  expect(takes(5, take)).toBe(3)
})

it('every key has a bucket of its own', () => {
  const take = createTokenBuckets({ burst: 2, perSecond: 1 }, () => 0)
  expect(['ann', 'bob', 'ann', 'ann', 'bob'].map(take)).toEqual([true, true, true, false, true])
})
