import { expect, it } from 'vitest'
import { isAmbiguous } from './request-smuggling.ts'

const asked = (...names: readonly string[]) => ({ url: '/api/chat', rawHeaders: names.flatMap((name) => [name, 'x']) })

it.each([
  ...['Host', 'Origin', 'Authorization', 'X-Api-Key', 'Content-Type'],
  ...['X-Guest-Session-Id', 'X-View-As', 'Idempotency-Key'],
])('a request with two headers %s is ambiguous, and with one it is not', (name) => {
  expect(isAmbiguous(asked(name, 'Accept', name.toLowerCase()))).toBe(true)
  expect(isAmbiguous(asked(name, 'Accept', 'Accept'))).toBe(false)
})

it.each([undefined, '', '*', 'api/chat', 'http://parley.test/api/chat', '/api/chat#top'])(
  'a request for %j is ambiguous, which is no path',
  (url) => {
    expect(isAmbiguous({ url, rawHeaders: [] })).toBe(true)
  },
)
