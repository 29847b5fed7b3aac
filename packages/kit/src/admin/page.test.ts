import { expect, it } from 'vitest'
import { cursorOf, readPage } from './page.ts'

it('a page begins behind the place of its cursor', () => {
  for (const place of [{ seq: 7 }, { seq: 7, value: 'Ann Müller' }, { seq: 0, value: '' }])
    expect(readPage({ limit: 5, cursor: cursorOf(place) ?? '' })).toEqual({ limit: 5, after: place })
  expect(readPage({ limit: 5 })).toEqual({ limit: 5, after: undefined })
})

// The last is of a text that no column holds.
it.each(['', 'x', '-1', '7.a b', cursorOf({ seq: 7, value: 'a\0b' }) ?? ''])(
  'a cursor that no list gives out, %j, is refused',
  (cursor) => {
    expect(() => readPage({ limit: 5, cursor })).toThrow()
  },
)
