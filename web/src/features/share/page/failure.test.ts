import { expect, it } from 'vitest'
import { ApiError } from '../../../shared/api/error.ts'
import { failureOf } from './failure.ts'

const refused = (status: number, code: string, message = 'Words of the server') =>
  new ApiError({ status, code, message })

it.each([
  ['a link that leads nowhere', refused(404, 'not_found'), 'share.failure.invalid'],
  ['an address that no link has', refused(400, 'validation_failed'), 'share.failure.invalid'],
  ['a refusal', refused(429, 'rate_limited'), 'share.failure.status'],
  ['an answer that is not ours', refused(502, 'unexpected', ''), 'share.failure.load'],
  ['a server out of reach', refused(0, 'network'), 'share.failure.unreachable'],
  ['a server that takes too long', refused(0, 'timeout'), 'share.failure.unreachable'],
  ['a request that cannot be made', new TypeError('Invalid name'), 'share.failure.setup'],
  ['anything else', new Error('?'), 'share.failure.unknown'],
])('%s has its own words on the page of a shared chat', (_case, error, id) => {
  expect(failureOf(error, false)).toMatchObject({ kind: 'text', id })
})

it('a link with a password asks for it, and says when it was wrong', () => {
  const error = refused(401, 'password_required')
  expect([failureOf(error, false), failureOf(error, true)]).toEqual([
    { kind: 'password', wrong: false },
    { kind: 'password', wrong: true },
  ])
})
