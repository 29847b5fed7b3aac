import { expect, it } from 'vitest'
import { differenceOf, ensureUnchanged } from './undo.ts'

it('a difference has the changed fields, including nested ones, and lists as a whole', () => {
  const before = { a: 1, b: { c: 2, d: 3 }, e: [1, 2], f: null }
  const after = { a: 1, b: { c: 2, d: 4 }, e: [2, 1], f: { g: 1 } }
  expect(differenceOf(before, after)).toEqual({
    before: { b: { d: 3 }, e: [1, 2], f: null },
    after: { b: { d: 4 }, e: [2, 1], f: { g: 1 } },
  })
})

it('an action can be undone while its result is unchanged, whatever else changed', () => {
  expect(() => ensureUnchanged({ b: { d: 4 } }, { a: 9, b: { c: 9, d: 4 } })).not.toThrow()
})

it('a field that an action removed is unchanged while it is missing', () => {
  expect(() => ensureUnchanged({ price: null }, { name: 'a' })).not.toThrow()
  expect(() => ensureUnchanged({ price: null }, { price: 3 })).toThrow(
    expect.objectContaining({ details: [{ path: 'price', message: 'Was null, is now 3' }] }),
  )
})

it('an undo is refused with each field that has changed since and the present state', () => {
  const current = { a: 1, b: { d: 5 }, e: [1] }
  expect(() => ensureUnchanged({ b: { d: 4 }, e: [2] }, current)).toThrow(
    expect.objectContaining({
      code: 'conflict',
      current,
      details: [
        { path: 'b.d', message: 'Was 4, is now 5' },
        { path: 'e', message: 'Was [2], is now [1]' },
      ],
    }),
  )
  expect(() => ensureUnchanged({}, undefined)).toThrow(expect.objectContaining({ code: 'conflict', current: null }))
})
