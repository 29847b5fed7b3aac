import { expect, it } from 'vitest'
import { z } from 'zod'
import { validate } from './validate.ts'

it('faults name their place, or the whole value, in the language that is asked for', () => {
  const schema = z.object({ tags: z.array(z.string().max(2)) })
  const message = 'Höchstens 2 Zeichen'
  expect(validate(schema, { tags: ['ab', 'abc'] }, 'entry', 'de').faults).toEqual([{ path: 'tags.1', message }])
  expect(validate(z.string().max(2), 'abc', 'entry', 'de').faults).toEqual([{ path: 'entry', message }])
})

it('a list that is too long has too many entries, not characters', () => {
  const { faults } = validate(z.array(z.string()).max(1), ['a', 'b'], 'entries')
  expect(faults).toEqual([{ path: 'entries', message: expect.stringMatching(/<=1 items/) }])
})

it('of many faults the first twenty are named', () => {
  const { faults } = validate(z.array(z.string()), Array(1_000).fill(1), 'entries')
  expect(faults?.map(({ path }) => path)).toEqual(Array.from({ length: 20 }, (_, at) => String(at)))
})
