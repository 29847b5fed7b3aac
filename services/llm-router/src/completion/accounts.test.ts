import { describe, expect, it } from 'vitest'
import { type AccountState, createAccounts, decideAccount, newAccount, refused } from './accounts.ts'

const account = (state: Partial<AccountState> = {}): AccountState => ({ ...newAccount, ...state })

describe('the account for a call', () => {
  it.each([
    ['is the only one, also while it rests', [account({ restsUntil: 900 })], 0],
    ['is the one whose last call is the longest ago', [account({ lastCall: 3 }), account({ lastCall: 1 })], 1],
    ['is none that rests', [account({ lastCall: 1, restsUntil: 101 }), account({ lastCall: 2 })], 1],
    ['may have rested', [account({ lastCall: 1, restsUntil: 100 }), account({ lastCall: 2 })], 0],
    [
      'is the one that was refused the longest ago while all rest',
      [
        account({ lastCall: 1, refusedAt: 90, restsUntil: 500 }),
        account({ lastCall: 2, refusedAt: 80, restsUntil: 900 }),
      ],
      1,
    ],
    ['is none where there is none', [], undefined],
  ])('%s', (_what, accounts, place) => {
    expect(decideAccount(accounts, 100)).toBe(place)
  })

  it('is none that refused the request, and undefined when all did', () => {
    const accounts = [account({ lastCall: 1 }), account({ lastCall: 2, restsUntil: 900 })]
    expect(decideAccount(accounts, 100, (place) => place === 0)).toBe(1)
    expect(decideAccount(accounts, 100, () => true)).toBeUndefined()
  })
})

describe('the rest of a refused account', () => {
  const rests = (times: number, retryAfterMs?: number): number[] => {
    let state = newAccount
    return Array.from({ length: times }, () => {
      state = refused(state, 1_000, retryAfterMs)
      return state.restsUntil - 1_000
    })
  }
  it('doubles up to 10 minutes', () => {
    expect(rests(9)).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600].map((seconds) => seconds * 1_000))
  })
  it('is the provider’s Retry-After, up to an hour', () => {
    expect([rests(2, 1_500), rests(1, 86_400_000)]).toEqual([[1_500, 1_500], [3_600_000]])
  })
  it('is short again after an answered call', () => {
    const accounts = createAccounts(
      () => ['one', 'two'],
      () => 1_000,
    )
    accounts.refused('openai', 'two', undefined)
    expect(accounts.refused('openai', 'two', undefined)).toEqual({ account: 2, restMs: 10_000 })
    accounts.answered('openai', 'two')
    expect(accounts.refused('openai', 'two', undefined)).toEqual({ account: 2, restMs: 5_000 })
  })
})

it('an account that was refused rests although an earlier call is answered meanwhile', () => {
  const accounts = createAccounts(
    () => ['one', 'two'],
    () => 1_000,
  )
  accounts.refused('openai', 'one', 9_000)
  accounts.answered('openai', 'one')
  expect([accounts.next('openai'), accounts.next('openai')]).toEqual(['two', 'two'])
})

it('calls rotate through the accounts of each provider', () => {
  const accounts = createAccounts((provider) => (provider === 'openai' ? ['a', 'b', 'c'] : ['x']))
  const next = () => [accounts.next('openai'), accounts.next('google')]
  expect(Array.from({ length: 4 }, next).flat()).toEqual(['a', 'x', 'b', 'x', 'c', 'x', 'a', 'x'])
})
