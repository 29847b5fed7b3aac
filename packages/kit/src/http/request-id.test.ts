import { expect, it } from 'vitest'
import { chooseRequestId } from './request-id.ts'

const traceId = 'a'.repeat(32)
const traceparent = `00-${traceId}-${'b'.repeat(16)}-01`

it.each([
  ['its own id', { 'x-request-id': 'from-a-proxy', traceparent }, 'from-a-proxy'],
  ['its trace', { traceparent }, traceId],
  ['its trace if its id is malformed', { 'x-request-id': 'a b', traceparent }, traceId],
  ['neither', {}, expect.stringMatching(/^[0-9a-f]{32}$/)],
  [
    'neither if both are malformed',
    { 'x-request-id': 'short', traceparent: 'none' },
    expect.not.stringMatching(/none/),
  ],
])('a request is named by %s', (_what, headers, id) => {
  expect(chooseRequestId({ headers })).toEqual(id)
})
