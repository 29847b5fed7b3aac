import { expect, it } from 'vitest'
import { answerCost } from './answer-price.ts'

it('the price of an answer is that of its input and output tokens', () => {
  const prices = { inputPrice: 2_500_000, outputPrice: 10_000_000 }
  expect(answerCost(prices, 1_000_000, 0)).toBe(2_500_000)
  expect(answerCost(prices, 1_000, 500)).toBe(7_500)
  expect(answerCost({ inputPrice: 0, outputPrice: 0 }, 1_000, 500)).toBe(0)
})

it('the price of an answer is unknown if one of the model’s prices is', () => {
  expect(answerCost({ inputPrice: null, outputPrice: 1 }, 1, 1)).toBeNull()
  expect(answerCost({ inputPrice: 1 }, 1, 1)).toBeNull()
})
