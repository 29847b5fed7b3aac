import { describe, expect, it } from 'vitest'
import { safePath } from './safe-path.ts'

describe('the path wanted before sign-in', () => {
  it.each(['/', '/c/abc', '/profile?tab=usage#top', '/c/%C3%BC', '/s/a-b_c?next=//x'])('keeps %s', (path) => {
    expect(safePath(path)).toBe(path)
  })

  it.each([
    null,
    '',
    'c/abc',
    'https://evil.example',
    'https:evil.example',
    'HTTPS:evil.example',
    'https:/evil.example',
    '%2f%2fevil.example',
    '/\\/evil.example',
    '/\u0000/evil.example',
    '/\r\n//evil.example',
    '\u00a0//evil.example',
    '/%2e%2e//evil.example',
    'data:text/html,x',
    'JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%2fevil.example',
    '/%5cevil.example',
    '/%252fevil.example',
    '/%25255cevil.example',
    '/%09/evil.example',
    '/%2525252525252fevil.example',
    '/..//evil.example',
    '/%E0%A4%A',
    `/${'a'.repeat(2001)}`,
  ])('refuses %j', (path) => {
    expect(safePath(path)).toBe('/')
  })
})
