import { expect, it } from 'vitest'
import { ApiError } from '../shared/api/error.ts'
import { afterFailure } from './migration-failure.ts'

const after = (status: number) => afterFailure(new ApiError({ status, code: 'any' }))

it('a failed import of a guest chat is retried, unless a retry would get the same response', () => {
  expect([0, 401, 408, 429, 500, 503].map(after)).toEqual(Array(6).fill('retry'))
  expect([400, 403, 413, 422].map(after)).toEqual(Array(4).fill('discard'))
  expect(afterFailure(new TypeError('x'))).toBe('retry')
})
