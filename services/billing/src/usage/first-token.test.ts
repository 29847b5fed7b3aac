import { expect, it } from 'vitest'
import { type FirstTokenStep, firstTokenOf, stepGrowth } from './first-token.ts'

const stepOf = (ms: number): number => Math.floor(Math.log(ms) / Math.log(stepGrowth))
/** As the database returns them. */
const stepsOf = (times: readonly number[]): FirstTokenStep[] =>
  times.map((ms) => ({ step: stepOf(ms), answers: 1 })).sort((a, b) => a.step - b.step)

it.each([
  ['one answer', [800], 800, 800],
  ['a hundred answers', Array.from({ length: 100 }, (_, n) => (n + 1) * 40), 2000, 3800],
  ['nineteen quick answers and a slow one', [...Array.from({ length: 19 }, () => 300), 30_000], 300, 300],
  ['eighteen quick answers and two slow ones', [...Array.from({ length: 18 }, () => 300), 20_000, 20_000], 300, 20_000],
])('the time to first token of %s is accurate to 5 %%', (_what, times, p50, p95) => {
  const told = firstTokenOf(stepsOf(times))
  expect(told?.answers).toBe(times.length)
  expect(Math.abs((told?.p50Ms ?? 0) / p50 - 1)).toBeLessThan(0.051)
  expect(Math.abs((told?.p95Ms ?? 0) / p95 - 1)).toBeLessThan(0.051)
})

it('the time to first token is null without an answer', () => {
  expect(firstTokenOf([])).toBeNull()
})
