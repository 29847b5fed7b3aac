import { expect, it } from 'vitest'
import { foreignHost, safeLink } from './link-policy.ts'

it.each(['https://example.com/a?b#c', 'http://example.com', 'mailto:a@example.com', 'HTTPS://EXAMPLE.com'])(
  'the link policy allows %s',
  (url) => {
    expect(safeLink(url)).toBe(url)
  },
)

it.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://example.com/x',
  'file:///etc/passwd',
  '//example.com',
  '/admin',
  '#top',
  '',
])('the link policy removes %j', (url) => {
  expect(safeLink(url)).toBe('')
})

it('the link policy names only the host of an external image', () => {
  expect(foreignHost('https://tracker.example/p.png', 'https://parley.example')).toBe('tracker.example')
  expect(foreignHost('https://parley.example/api/image/1', 'https://parley.example')).toBeNull()
})
