import { expect, it } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

const times = <T>(count: number, act: () => T): T[] => Array.from({ length: count }, act)

it('a provider has its reserve of retries, then one for every ten calls, and never more than the reserve', () => {
  const { earn, spend } = createRetryBudget(2)
  times(100, () => earn('xai'))
  expect(times(3, () => spend('xai'))).toEqual([true, true, false])
  times(9, () => earn('xai'))
  expect(spend('xai')).toBe(false)
  earn('xai')
  expect(times(2, () => spend('xai'))).toEqual([true, false])
  expect(spend('openai')).toBe(true)
})
