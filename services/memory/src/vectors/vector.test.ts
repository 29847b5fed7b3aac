import { describe, expect, it } from 'vitest'
import { createRest } from './rest.ts'
import { similarity, vectorOf } from './vector.ts'

const base64 = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64')

describe('a vector', () => {
  it('is decoded from its bytes', () => {
    expect([...vectorOf(base64(0.5, -1, 2.25))]).toEqual([0.5, -1, 2.25])
    expect(vectorOf('')).toHaveLength(0)
  })

  it('has the cosine as its similarity to another of any length', () => {
    expect(similarity(vectorOf(base64(0.6, 0.8)), vectorOf(base64(0.8, 0.6)))).toBeCloseTo(0.96)
    const many = Array.from({ length: 7 }, (_, at) => at - 3)
    const product = many.reduce((sum, number) => sum + number * number, 0)
    expect(similarity(new Float32Array(many), new Float32Array(many))).toBe(product)
    expect(similarity(new Float32Array([1, 0]), new Float32Array([1, 0, 0]))).toBe(0)
  })
})

it('a rest doubles with each failure up to its maximum, and ends with a success', () => {
  let ms = 0
  const rest = createRest({ firstMs: 10, longestMs: 30 }, () => new Date(ms))
  const restsFor = () => {
    const from = ms
    while (rest.isResting()) ms += 1
    return ms - from
  }
  expect(rest.isResting()).toBe(false)
  const rests = [1, 2, 3, 4].map(() => {
    rest.failed()
    return restsFor()
  })
  expect(rests).toEqual([10, 20, 30, 30])
  rest.failed()
  rest.worked()
  expect(rest.isResting()).toBe(false)
  rest.failed()
  expect(restsFor()).toBe(10)
})
