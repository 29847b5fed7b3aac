import type { AdminUser } from '@parley/contracts'
import { expect, it } from 'vitest'
import { pageWithLastKnown, userWithLastKnown } from './last-known.ts'

const user = (id: string, remaining?: number): AdminUser => ({
  ...{ _id: id, username: id, email: `${id}@example.test`, isAdmin: false, isSuperAdmin: false, banned: false },
  ...{ type: 'local', createdAt: '2026-01-01T00:00:00.000Z', lastLoginAt: null, emailVerified: true },
  plan: remaining === undefined ? null : { id: 'free', name: 'Free' },
  credits: remaining === undefined ? null : { remaining, monthly: 100, resetDate: '2026-02-01T00:00:00.000Z' },
})
const page = (...users: AdminUser[]) => ({ users, nextCursor: null })

it('a page of users keeps the last known plans and credits, with their time, while billing is unavailable', () => {
  const first = pageWithLastKnown(page(user('a', 10), user('b', 20)), undefined)
  expect(first.without).toBeUndefined()
  const second = pageWithLastKnown(page(user('new'), { ...user('a'), banned: true }), { data: first, at: 1_000 })
  expect(second.users).toEqual([user('new'), { ...user('a', 10), banned: true }])
  expect(second.without).toEqual({ since: 1_000 })
  const third = pageWithLastKnown(page(user('a')), { data: second, at: 31_000 })
  expect(third).toMatchObject({ users: [{ credits: { remaining: 10 } }], without: { since: 1_000 } })
  expect(pageWithLastKnown(page(user('a', 9)), { data: third, at: 61_000 })).toEqual(page(user('a', 9)))
})

it('a page of users without known values has no time, and an empty page is complete', () => {
  expect(pageWithLastKnown(page(user('a')), undefined).without).toEqual({ since: undefined })
  const other = { data: page(user('b', 1)), at: 1_000 }
  expect(pageWithLastKnown(page(user('a')), other)).toEqual({ ...page(user('a')), without: { since: undefined } })
  expect(pageWithLastKnown(page(), other)).toEqual(page())
})

it('a user whom billing does not know yet does not mean that billing is unavailable', () => {
  expect(pageWithLastKnown(page(user('a'), user('b', 1)), { data: page(user('a', 5)), at: 1 })).toEqual(
    page(user('a'), user('b', 1)),
  )
})

it('a user keeps the last known values of billing, and no value is made up', () => {
  const told = { user: user('a', 10), sessions: 1, keys: 3, usage: { requests: 7 } }
  const later = { user: { ...user('a'), banned: true }, sessions: 2, keys: null, usage: null }
  expect(userWithLastKnown<Detail>(later, { data: told, at: 5 })).toEqual({
    ...{ user: { ...user('a', 10), banned: true }, sessions: 2, keys: 3, usage: { requests: 7 } },
    without: { since: 5 },
  })
  expect(userWithLastKnown<Detail>(later, undefined)).toEqual({ ...later, without: { since: undefined } })
  expect(userWithLastKnown<Detail>(told, { data: told, at: 5 })).toEqual(told)
})

interface Detail {
  readonly user: AdminUser
  readonly sessions: number
  readonly keys: number | null
  readonly usage: { readonly requests: number } | null
}
