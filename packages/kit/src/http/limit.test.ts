import { expect, it } from 'vitest'
import { wholeSeconds } from './limit.ts'

it('seconds until a limit resets are whole, rounded up and never none, so that nobody retries at once', () => {
  expect([0, 1, 1_000, 1_001].map(wholeSeconds)).toEqual([1, 1, 1, 2])
})
