import type { Principal } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { authorise } from '../src/index.ts'

const origin = { network: '4:127.0.0.1' }
const guest: Principal = { kind: 'guest', ...origin }
const service: Principal = { kind: 'service', service: 'chat', ...origin }
const user = (rights: Partial<{ isAdmin: boolean; isBanned: boolean }> = {}): Principal => ({
  kind: 'user',
  userId: 'u1',
  sessionId: 's1',
  rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true, ...rights },
  ...origin,
})
const key = (rights: Partial<{ isBanned: boolean; isAdmin: boolean }> = {}): Principal => ({
  kind: 'key',
  keyId: 'k1',
  userId: 'u1',
  tier: 1,
  customLimits: null,
  rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true, ...rights },
  ...origin,
})

describe('an admin who views as a user', () => {
  const viewing: Principal = { ...(user() as Extract<Principal, { kind: 'user' }>), viewedBy: 'a1' }
  it('may call routes that can be viewed, and public ones', () => {
    authorise({ access: 'user', viewable: true, method: 'GET' }, viewing)
    authorise({ access: 'public', method: 'GET' }, viewing)
  })

  it.each([
    { access: 'user', method: 'GET' },
    { access: 'guest', method: 'GET' },
    { access: 'user', method: 'PATCH' },
    { access: 'public', method: 'POST' },
    { access: 'admin', method: 'GET' },
  ] as const)('is refused $method of $access', (route) => {
    expect(() => authorise(route, viewing)).toThrow(expect.objectContaining({ code: 'forbidden' }))
  })
})

const refusals: ReadonlyArray<
  readonly [who: string, principal: Principal, access: Parameters<typeof authorise>[0]['access'], code: string]
> = [
  ['a guest', guest, 'user', 'unauthenticated'],
  ['a guest', guest, 'admin', 'unauthenticated'],
  ['a guest', guest, 'service', 'unauthenticated'],
  ['a guest', guest, 'key', 'unauthenticated'],
  ['a user', user(), 'key', 'unauthenticated'],
  ['an API key', key(), 'public', 'unauthenticated'],
  ['an API key', key(), 'guest', 'unauthenticated'],
  ['an API key', key(), 'user', 'unauthenticated'],
  ["an admin's API key", key({ isAdmin: true }), 'admin', 'unauthenticated'],
  ['an API key', key(), 'service', 'unauthenticated'],
  ["a banned user's API key", key({ isBanned: true }), 'key', 'account_banned'],
  ['a user', user(), 'admin', 'forbidden'],
  ['an admin', user({ isAdmin: true }), 'service', 'unauthenticated'],
  ['a banned user', user({ isBanned: true }), 'guest', 'account_banned'],
  ['a banned admin', user({ isBanned: true, isAdmin: true }), 'admin', 'account_banned'],
]
const grants: ReadonlyArray<
  readonly [who: string, principal: Principal, access: Parameters<typeof authorise>[0]['access']]
> = [
  ['a guest', guest, 'public'],
  ['a guest', guest, 'guest'],
  ['a user', user(), 'guest'],
  ['a user', user(), 'user'],
  ['a banned user', user({ isBanned: true }), 'public'],
  ['an admin', user({ isAdmin: true }), 'admin'],
  ['an API key', key(), 'key'],
  ['a service', service, 'service'],
]

describe('authorise', () => {
  it.each(refusals)('refuses %s on a route for %s', (_who, principal, access, code) => {
    expect(() => authorise({ access }, principal)).toThrow(expect.objectContaining({ code }))
  })
  it.each(grants)('allows %s', (_who, principal, access) => {
    expect(() => authorise({ access }, principal)).not.toThrow()
  })
  it('allows a banned user to call routes for banned users', () => {
    expect(() => authorise({ access: 'user', bannedAllowed: true }, user({ isBanned: true }))).not.toThrow()
  })
})
