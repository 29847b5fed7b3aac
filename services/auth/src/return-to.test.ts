import { expect, test } from 'vitest'
import { safeReturnTo } from './return-to.ts'

test.each(['/', '/c/1?x=2#end', '/profile/../c/2', '/search?q=a%20b//c&to=https://elsewhere.test', '/caf%C3%A9'])(
  '%s is a path of our own',
  (path) => {
    const { pathname, search, hash } = new URL(path, 'http://localhost')
    expect(safeReturnTo(path)).toBe(`${pathname}${search}${hash}`)
  },
)

test.each([
  undefined,
  '',
  'c/1',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '/.//evil.test',
  '/x/..//evil.test',
  '/%2e//evil.test',
  '/%2F/evil.test',
  '/%252f/evil.test',
  '/%5Cevil.test',
  '/%0a/evil.test',
  '/%zz',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'https:evil.test',
  'http://parley.invalid/c/1',
  '//parley.invalid/c/1',
  'data:text/html,x',
  '\u0001//evil.test',
  '/\t/evil.test',
  `/${'x'.repeat(2_000)}`,
])('%j is none', (wanted) => {
  expect(safeReturnTo(wanted)).toBe('/')
})
