import { expect, it } from 'vitest'
import { changeSearch } from './use-url-state.ts'

it('changing a filter keeps the other filters and returns to the first page', () => {
  const before = new URLSearchParams('query=ann&plan=free&page=abc')
  expect(String(changeSearch(before, { plan: 'plus' }))).toBe('query=ann&plan=plus')
  expect(String(changeSearch(before, { query: '' }))).toBe('plan=free')
  expect(String(changeSearch(before, { page: 'def' }))).toBe('query=ann&plan=free&page=def')
})
