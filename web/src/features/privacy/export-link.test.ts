import { expect, it } from 'vitest'
import { readExportLink } from './export-link.ts'

it.each([
  ['#id=e1&token=a-b_c', { id: 'e1', token: 'a-b_c' }],
  ['#token=export%2Btoken%2FN%3D&id=e1', { id: 'e1', token: 'export+token/N=' }],
  ['#id=e1', null],
  ['#id=e1&token=', null],
  ['', null],
])('a link with %j has the token %j', (hash, link) => {
  expect(readExportLink(hash)).toEqual(link)
})
