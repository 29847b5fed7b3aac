import { describe, expect, it } from 'vitest'
import { keepListed, toggle, toggleAll } from './selection.ts'

describe('the selection of memories', () => {
  it('gains and loses a memory', () => {
    expect([...toggle(new Set(['a']), 'b')]).toEqual(['a', 'b'])
    expect([...toggle(new Set(['a', 'b']), 'a')]).toEqual(['b'])
  })

  it('becomes all that is listed, and nothing when that is selected already', () => {
    expect([...toggleAll(new Set(['a']), ['a', 'b'])]).toEqual(['a', 'b'])
    expect([...toggleAll(new Set(['a', 'b']), ['a', 'b'])]).toEqual([])
  })

  it('loses what is listed no more, and stays the same object otherwise', () => {
    const selected = new Set(['a', 'b'])
    expect([...keepListed(selected, ['b', 'c'])]).toEqual(['b'])
    expect(keepListed(selected, ['a', 'b', 'c'])).toBe(selected)
  })
})
