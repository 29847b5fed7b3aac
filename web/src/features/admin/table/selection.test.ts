import { expect, it } from 'vitest'
import { noSelection, selectAll, selectedOf, selectRow } from './selection.ts'

const rows = ['a', 'b', 'c', 'd']
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('')

it('clicking a row selects it, and clicking it again deselects it', () => {
  const one = selectRow(noSelection, rows, 'b', false)
  expect(idsOf(one)).toBe('b')
  expect(idsOf(selectRow(one, rows, 'b', false))).toBe('')
})

it('Shift selects the range from the last selected row, in both directions', () => {
  const one = selectRow(noSelection, rows, 'c', false)
  expect(idsOf(selectRow(one, rows, 'a', true))).toBe('abc')
  expect(idsOf(selectRow(selectRow(one, rows, 'a', true), rows, 'd', true))).toBe('abcd')
})

it('Shift selects a single row if the last selected one is gone', () => {
  expect(idsOf(selectRow({ ids: new Set(), anchor: 'x' }, rows, 'b', true))).toBe('b')
})

it('selecting all selects all rows, or none if all are selected', () => {
  const all = selectAll(selectRow(noSelection, rows, 'b', false), rows)
  expect(idsOf(all)).toBe('abcd')
  expect(idsOf(selectAll(all, rows))).toBe('')
})

it('a row that a refresh removed is no longer selected', () => {
  const all = selectAll(noSelection, rows)
  expect(selectedOf([{ id: 'b' }, { id: 'z' }], ({ id }) => id, all)).toEqual([{ id: 'b' }])
})
