import { expect, it } from 'vitest'
import { exceededBound } from './json-text.ts'

const bounds = { depth: 3, values: 6 }
const judge = (text: string) => exceededBound(Buffer.from(text), bounds)

it.each([
  ['', undefined],
  ['7', undefined],
  ['[[[]]]', undefined],
  ['[[[[]]]]', 'depth'],
  ['{"a":{"b":[1]}}', undefined],
  ['{"a":{"b":[{}]}}', 'depth'],
  ['[1,2,3,4,5,6]', 'values'],
  ['[1,2,3,4]', undefined],
  ['{"a":1,"b":2,"c":3,"d":4}', undefined],
  ['[[],[],[],[]]', 'values'],
  ['"[[[[[[,,,,,,,,"', undefined],
  ['"\\"[[[[[[,,,,,,,"', undefined],
  ['"\\\\",[[[[', 'depth'],
  ['"\\u005b[[[[,,,,,,,', undefined],
  ['["é€😀","[[[["]', undefined],
  [']]]]]]]', undefined],
  ['"\\', undefined],
])('%j exceeds the bound %s', (text, exceeded) => {
  expect(judge(text)).toBe(exceeded)
})

it('a text within the bounds has at most their values and depth when parsed', () => {
  const sizeOf = (value: unknown): { depth: number; values: number } => {
    const inside = typeof value === 'object' && value !== null ? Object.values(value).map(sizeOf) : []
    return {
      depth: typeof value === 'object' && value !== null ? 1 + Math.max(0, ...inside.map(({ depth }) => depth)) : 0,
      values: 1 + inside.reduce((sum, { values }) => sum + values, 0),
    }
  }
  const made = (size: number, seed: number): unknown => {
    if (size <= 1) return ['a,b[', seed, null, true, {}][seed % 5]
    const parts = Array.from({ length: 1 + (seed % 3) }, (_none, nth) => made(Math.floor(size / 2), seed * 7 + nth))
    return seed % 2 === 0 ? parts : Object.fromEntries(parts.map((part, nth) => [`"{${nth}`, part]))
  }
  for (let seed = 0; seed < 200; seed += 1) {
    const value = made(seed % 16, seed)
    const { depth, values } = sizeOf(value)
    const text = Buffer.from(JSON.stringify(value, undefined, seed % 3))
    // An empty list or object is counted as if it held one value.
    expect(exceededBound(text, { depth, values: values * 2 })).toBeUndefined()
    expect(exceededBound(text, { depth: depth - 1, values: values * 2 })).toBe(depth === 0 ? undefined : 'depth')
    expect(exceededBound(text, { depth, values: values - 1 })).toBe('values')
  }
})
