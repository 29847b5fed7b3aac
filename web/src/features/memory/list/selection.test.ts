import { describe, expect, it } from 'vitest'
import { keepListed, toggle, toggleAll } from './selection.ts'

describe('the selection of memories', () => {
  it('adds and removes a memory', () => {
    expect([...toggle(new Set(['a']), 'b')]).toEqual(['a', 'b'])
    expect([...toggle(new Set(['a', 'b']), 'a')]).toEqual(['b'])
  })

  it('selects all listed memories, or none if all are selected', () => {
    expect([...toggleAll(new Set(['a']), ['a', 'b'])]).toEqual(['a', 'b'])
    expect([...toggleAll(new Set(['a', 'b']), ['a', 'b'])]).toEqual([])
  })

  it('drops memories that are no longer listed, and stays the same object otherwise', () => {
    const selected = new Set(['a', 'b'])
    expect([...keepListed(selected, ['b', 'c'])]).toEqual(['b'])
    expect(keepListed(selected, ['a', 'b', 'c'])).toBe(selected)
  })
})
