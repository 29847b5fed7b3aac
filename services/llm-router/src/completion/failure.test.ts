import { AppError } from '@parley/kit'
import { describe, expect, it, vi } from 'vitest'
import { appErrorOf, readFailure, toAppError } from './failure.ts'
import { createRetryBudget } from './retry-budget.ts'

const answered = (status: number, headers: Record<string, string> = {}) =>
  readFailure(Object.assign(new Error('What the provider said'), { status, headers: new Headers(headers) }))

describe('an answer of a provider that is none', () => {
  it.each([
    [400, { retryable: false, isRefusal: true, isOfAccount: false }],
    [401, { retryable: false, isRefusal: false, isOfAccount: true }],
    [402, { retryable: false, isRefusal: false, isOfAccount: true }],
    [403, { retryable: false, isRefusal: false, isOfAccount: true }],
    [404, { retryable: false, isRefusal: false, isOfAccount: false }],
    [408, { retryable: true, isRefusal: false, isOfAccount: false }],
    [409, { retryable: true, isRefusal: false, isOfAccount: false }],
    [413, { retryable: false, isRefusal: true, isOfAccount: false }],
    [422, { retryable: false, isRefusal: true, isOfAccount: false }],
    [429, { retryable: true, isRefusal: false, isOfAccount: true }],
    [500, { retryable: true, isRefusal: false, isOfAccount: false }],
    [529, { retryable: true, isRefusal: false, isOfAccount: false }],
  ])('of status %i is read as %o', (status, expected) => {
    expect(answered(status)).toMatchObject({ ...expected, status, code: 'provider_error' })
  })

  it.each([
    ['2', 2_000],
    ['0.5', 500],
    ['-1', 0],
    ['Thu, 26 Nov 2026 12:00:03 GMT', 3_000],
    ['Thu, 26 Nov 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
  ])('asks by “retry-after: %s” for a delay of %s ms', (value, expected) => {
    vi.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z') })
    expect(answered(429, { 'retry-after': value }).retryAfterMs).toBe(expected)
    vi.useRealTimers()
  })
})

it('a caller is told when the provider wants to be asked again, in whole seconds', () => {
  const headersOf = (asked: Record<string, string>) => toAppError(answered(429, asked)).headers
  expect([headersOf({ 'retry-after': '6.5' }), headersOf({})]).toEqual([{ 'retry-after': '7' }, {}])
})

it('a budget earns a retry by ten calls, and never more than it began with', () => {
  const budget = createRetryBudget(2)
  const earn = (times: number) => Array.from({ length: times }).forEach(() => void budget.earn('p'))
  const spendable = () => [1, 2, 3].filter(() => budget.spend('p')).length
  earn(100)
  expect(spendable()).toBe(2)
  earn(9)
  expect(spendable()).toBe(0)
  earn(1)
  expect(spendable()).toBe(1)
  expect(budget.spend('another')).toBe(true)
})

it('a refusal or a fault of ours is not reported as a failure of a provider', () => {
  const fault = new AppError('internal_error', 'Something went wrong')
  expect(appErrorOf(fault)).toBe(fault)
  expect(appErrorOf(new TypeError('fetch failed'))).toMatchObject({ code: 'provider_error' })
})
