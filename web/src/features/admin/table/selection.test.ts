import { expect, it } from 'vitest'
import { noSelection, selectAll, selectedOf, selectRow } from './selection.ts'

const rows = ['a', 'b', 'c', 'd']
const idsOf = ({ ids }: { ids: ReadonlySet<string> }) => [...ids].sort().join('')

it('a row is selected and taken out again', () => {
  const one = selectRow(noSelection, rows, 'b', false)
  expect(idsOf(one)).toBe('b')
  expect(idsOf(selectRow(one, rows, 'b', false))).toBe('')
})

it('Shift selects from the row that was chosen last, in both directions', () => {
  const one = selectRow(noSelection, rows, 'c', false)
  expect(idsOf(selectRow(one, rows, 'a', true))).toBe('abc')
  expect(idsOf(selectRow(selectRow(one, rows, 'a', true), rows, 'd', true))).toBe('abcd')
})

it('Shift selects a single row when the one chosen last is gone', () => {
  expect(idsOf(selectRow({ ids: new Set(), anchor: 'x' }, rows, 'b', true))).toBe('b')
})

it('all rows are selected, and none when all were', () => {
  const all = selectAll(selectRow(noSelection, rows, 'b', false), rows)
  expect(idsOf(all)).toBe('abcd')
  expect(idsOf(selectAll(all, rows))).toBe('')
})

it('what a refresh took away is selected no more', () => {
  const all = selectAll(noSelection, rows)
  expect(selectedOf([{ id: 'b' }, { id: 'z' }], ({ id }) => id, all)).toEqual([{ id: 'b' }])
})
