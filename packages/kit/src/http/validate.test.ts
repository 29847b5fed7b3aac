import { expect, it } from 'vitest'
import { z } from 'zod'
import { validate } from './validate.ts'

it('faults name their place, or the whole value, in the language that is asked for', () => {
  const schema = z.object({ tags: z.array(z.string().max(2)) })
  const message = 'Höchstens 2 Zeichen'
  expect(validate(schema, { tags: ['ab', 'abc'] }, 'entry', 'de').faults).toEqual([{ path: 'tags.1', message }])
  expect(validate(z.string().max(2), 'abc', 'entry', 'de').faults).toEqual([{ path: 'entry', message }])
})

it('of several forms that a value may have, the faults are those of the only one that it can be meant to have', () => {
  const part = z.object({ text: z.union([z.string(), z.array(z.number())]) })
  const schema = z.object({ content: z.union([z.string(), z.array(part)]) })
  const faultsOf = (content: unknown) => validate(schema, { content }, 'entry').faults
  expect(faultsOf([{ text: 'x' }, {}])).toEqual([{ path: 'content.1.text', message: 'Invalid input' }])
  expect(faultsOf([{ text: ['x'] }, { text: [true] }])).toEqual([
    { path: 'content.0.text.0', message: 'Invalid input: expected number, received string' },
    { path: 'content.1.text.0', message: 'Invalid input: expected number, received boolean' },
  ])
  expect(faultsOf(1)).toEqual([{ path: 'content', message: 'Invalid input' }])
  const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])
  expect(validate(either, { b: 1 }, 'entry').faults).toEqual([{ path: 'entry', message: 'Invalid input' }])
  const strict = z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })])
  expect(validate(strict, { b: 1 }, 'entry').faults).toMatchObject([{ path: 'b' }])
  expect(validate(strict, {}, 'entry').faults).toMatchObject([{ path: 'entry' }])
})

it('a list that is too long has too many entries, not characters', () => {
  const { faults } = validate(z.array(z.string()).max(1), ['a', 'b'], 'entries')
  expect(faults).toEqual([{ path: 'entries', message: expect.stringMatching(/<=1 items/) }])
})

it('of many faults the first twenty are named', () => {
  const { faults } = validate(z.array(z.string()), Array(1_000).fill(1), 'entries')
  expect(faults?.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, at) => String(at)))
})
