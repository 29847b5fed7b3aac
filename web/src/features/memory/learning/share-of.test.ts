import { expect, it } from 'vitest'
import { shareOf } from './share-of.ts'

it.each([
  [1, 3, '33.3%'],
  [3, 3, '100%'],
  [0, 0, '0%'],
  [5, 3, '100%'],
] as const)('the bar of %i out of %i is %s wide', (part, whole, width) => {
  expect(shareOf(part, whole)).toBe(width)
})
