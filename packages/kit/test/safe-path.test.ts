import { safePath } from '@parley/contracts'
import { expect, it } from 'vitest'

it.each([
  '/',
  '/c/abc',
  '/c/1?x=2#end',
  '/profile?tab=usage#top',
  '/profile/../c/2',
  '/c/%C3%BC',
  '/s/a-b_c?next=//x',
  '/search?q=a%20b//c&to=https://elsewhere.test',
])('%s is a safe redirect path after signing in', (path) => {
  const { pathname, search, hash } = new URL(path, 'http://localhost')
  expect(safePath(path)).toBe(`${pathname}${search}${hash}`)
})

it.each([
  null,
  undefined,
  '',
  'c/abc',
  'https://evil.example',
  'https:evil.example',
  'HTTPS:evil.example',
  'https:/evil.example',
  'https://parley.invalid/c/1',
  '//parley.invalid/c/1',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/%2e%2e//evil.example',
  '%2f%2fevil.example',
  '/%2fevil.example',
  '/%2F/evil.example',
  '/%5cevil.example',
  '/%5Cevil.example',
  '/%252fevil.example',
  '/%252f/evil.example',
  '/%25255cevil.example',
  '/%2525252525252fevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/\u0000/evil.example',
  '/\r\n//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\u0001//evil.example',
  '\u00a0//evil.example',
  'data:text/html,x',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  '/%zz',
  '/%E0%A4%A',
  `/${'a'.repeat(2_000)}`,
])('%j is not a safe redirect path after signing in', (wanted) => {
  expect(safePath(wanted)).toBe('/')
})
