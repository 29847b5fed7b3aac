import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { accessToken, type Principal, type ServiceName } from '@parley/contracts'
import jwt from 'jsonwebtoken'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createIdentities, createIdentityCodec, identityVariables, newIdentityVariables } from '../src/index.ts'

const variables = newIdentityVariables()
const keysOf = createIdentities(variables)
const [gateway, chat, billing] = [keysOf('gateway'), keysOf('chat'), keysOf('billing')]
const network = '4:127.0.0.1'
const guest: Principal = { kind: 'guest', network }
const rights = { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true }
const user: Principal = { kind: 'user', userId: 'ann', sessionId: 's', rights, network }
const admin: Principal = { ...user, rights: { ...rights, isAdmin: true, isSuperAdmin: true } }
const service = (name: ServiceName): Principal => ({ kind: 'service', service: name, network: 'internal' })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** As the gateway's key signs what its codec would not. */
const signed = (claims: object, options: jwt.SignOptions = { expiresIn: 60 }): string =>
  jwt.sign(claims, variables.gateway.IDENTITY_PRIVATE_KEY, { algorithm: 'ES256', issuer: 'gateway', ...options })
/** The same statement with other claims. */
function changed(statement: string, claims: object): string {
  const [header, , signature] = statement.split('.')
  const { iat, exp, iss } = jwt.decode(statement, { json: true }) ?? {}
  return [header, Buffer.from(JSON.stringify({ ...claims, iat, exp, iss })).toString('base64url'), signature].join('.')
}
const { keys } = JSON.parse(variables.chat.IDENTITY_PUBLIC_KEYS) as { keys: (JsonWebKey & { kid: string })[] }
const publicPem = createPublicKey({
  key: keys.find(({ kid }) => kid === 'gateway') as JsonWebKey,
  format: 'jwk',
}).export({ type: 'spki', format: 'pem' })

describe('an identity statement', () => {
  it.each([guest, user, admin, service('gateway')])(
    'of the gateway is read by every service as it was signed: %j',
    (principal) => {
      for (const codec of [gateway, chat, billing]) expect(codec.verify(gateway.sign(principal))).toEqual(principal)
    },
  )
  it('is accepted with the old and the next key of its service while both are in the set, so that keys can be rotated', () => {
    const next = newIdentityVariables()
    const nextKey = (JSON.parse(next.gateway.IDENTITY_PUBLIC_KEYS) as { keys: typeof keys }).keys.filter(
      ({ kid }) => kid === 'gateway',
    )
    const IDENTITY_PUBLIC_KEYS = JSON.stringify({ keys: [...keys, ...nextKey] })
    const both = Object.fromEntries(
      Object.entries(variables).map(([name, own]) => [name, { ...own, IDENTITY_PUBLIC_KEYS }]),
    ) as typeof variables
    const { IDENTITY_PRIVATE_KEY } = next.gateway
    const rotated = createIdentities({ ...both, gateway: { IDENTITY_PRIVATE_KEY, IDENTITY_PUBLIC_KEYS } })
    const reader = createIdentities(both)('chat')
    for (const codec of [gateway, rotated('gateway')]) expect(reader.verify(codec.sign(user))).toEqual(user)
    // Without it in the set, the next key is nobody's.
    expect(chat.verify(rotated('gateway').sign(guest))).toBeUndefined()
  })
  it('of a service about itself is accepted by the others', () => {
    expect(billing.verify(chat.sign(service('chat')))).toEqual(service('chat'))
  })
  it.each([guest, user, admin, service('gateway'), service('billing')])(
    'of a service about anybody else is refused, also by that service: %j',
    (principal) => {
      for (const codec of [gateway, chat, billing]) expect(codec.verify(chat.sign(principal))).toBeUndefined()
    },
  )
  it("of a service is refused under the gateway's name", () => {
    const forged = jwt.sign(admin, variables.chat.IDENTITY_PRIVATE_KEY, {
      ...{ algorithm: 'ES256', issuer: 'gateway', expiresIn: 60 },
    })
    expect(billing.verify(forged)).toBeUndefined()
  })
  it('with an unknown key is refused', () => {
    expect(billing.verify(createIdentities()('gateway').sign(guest))).toBeUndefined()
    expect(billing.verify(signed(guest, { issuer: 'stranger', expiresIn: 60 }))).toBeUndefined()
  })
  it('is refused if it was changed, also after the original was accepted', () => {
    const statement = gateway.sign(user)
    expect(billing.verify(statement)).toEqual(user)
    expect(billing.verify(changed(statement, admin))).toBeUndefined()
    expect(billing.verify(statement)).toEqual(user)
  })
  it('without a signature is refused', () => {
    expect(billing.verify(jwt.sign(guest, '', { algorithm: 'none', issuer: 'gateway' }))).toBeUndefined()
  })
  it('is refused if a public key was used as a secret', () => {
    const [header, claims] = [
      { alg: 'HS256', typ: 'JWT' },
      { ...guest, iss: 'gateway', exp: Date.now() / 1_000 + 60 },
    ]
    const forged = jwt.sign(claims, Buffer.from(publicPem).toString('base64'), { algorithm: 'HS256', header })
    expect(billing.verify(forged)).toBeUndefined()
  })
  it('is refused if it does not state a principal, or has no expiry', () => {
    expect(billing.verify(signed({ kind: 'root' }))).toBeUndefined()
    expect(billing.verify(signed(guest, {}))).toBeUndefined()
    expect(billing.verify(signed(guest))).toEqual(guest)
  })
  it.each([undefined, '', 'x', 'a.b.c'])('is refused as %s', (header) => {
    expect(billing.verify(header)).toBeUndefined()
  })
  it('is refused if it is older than a minute and the leeway, also if it was accepted before', () => {
    const header = gateway.sign(guest)
    vi.setSystemTime(Date.now() + 60_000)
    expect(billing.verify(header)).toEqual(guest)
    vi.setSystemTime(Date.now() + 6_000)
    expect([billing.verify(header), chat.verify(header)]).toEqual([undefined, undefined])
  })
  it('is one header per principal within half a minute, valid for half a minute after that', () => {
    const fresh = keysOf('gateway')
    const first = fresh.sign(user)
    vi.setSystemTime(Date.now() + 29_999)
    expect(fresh.sign({ ...user })).toBe(first)
    expect(fresh.sign({ ...user, rights: { ...rights, isBanned: true } })).not.toBe(first)
    vi.setSystemTime(Date.now() + 30_000)
    expect(billing.verify(first)).toEqual(user)
    const second = fresh.sign(user)
    expect(second).not.toBe(first)
    expect(billing.verify(second)).toEqual(user)
  })
})

describe("the address of a service's replica", () => {
  const [address, forged] = ['10.1.2.3:8080', '10.6.6.6:8080']
  it('is read by every service as it was signed, and as that of its own service only', () => {
    const given = chat.signAddress(address)
    for (const codec of [gateway, chat, billing]) expect(codec.verifyAddress('chat', given)).toBe(address)
    expect(gateway.verifyAddress('billing', given)).toBeUndefined()
  })
  it('is refused if it was changed, signed by another service or with an unknown key, or is no signed address', () => {
    const given = chat.signAddress(address)
    const unknown = createIdentities()('chat').signAddress(forged)
    const asChat = jwt.sign({ address: forged }, variables.billing.IDENTITY_PRIVATE_KEY, {
      ...{ algorithm: 'ES256', issuer: 'chat', expiresIn: 60 },
    })
    const unsigned = jwt.sign({ address: forged }, '', { algorithm: 'none', issuer: 'chat' })
    const identity = chat.sign(service('chat'))
    for (const refused of [changed(given, { address: forged }), asChat, unknown, unsigned, identity, forged, ''])
      expect(gateway.verifyAddress('chat', refused)).toBeUndefined()
  })
  it('is no statement of identity', () => {
    expect(billing.verify(gateway.signAddress(address))).toBeUndefined()
  })
  it('is believed for as long as a socket may live, and not forever', () => {
    const given = chat.signAddress(address)
    vi.setSystemTime(Date.now() + accessToken.lifetimeSeconds * 1_000)
    expect(gateway.verifyAddress('chat', given)).toBe(address)
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(gateway.verifyAddress('chat', given)).toBeUndefined()
  })
})

describe('the keys of a service', () => {
  const read = (texts: Record<string, string>) => z.object(identityVariables).safeParse(texts)
  const faultsOf = (texts: Record<string, string>) => read(texts).error?.issues.map(({ path }) => path.join())
  it('are named if they are invalid', () => {
    const rsa = variables.chat.IDENTITY_PUBLIC_KEYS
    expect(faultsOf({ IDENTITY_PRIVATE_KEY: rsa, IDENTITY_PUBLIC_KEYS: 'none' })).toEqual([
      'IDENTITY_PRIVATE_KEY',
      'IDENTITY_PUBLIC_KEYS',
    ])
  })
  it('include all services', () => {
    const IDENTITY_PUBLIC_KEYS = JSON.stringify({ keys: keys.filter(({ kid }) => kid !== 'realtime') })
    expect(faultsOf({ ...variables.chat, IDENTITY_PUBLIC_KEYS })).toEqual(['IDENTITY_PUBLIC_KEYS'])
  })
  it('are unique to it', () => {
    const ofChat = z.object(identityVariables).parse(variables.chat)
    expect(() => createIdentityCodec('billing', ofChat)).toThrow('IDENTITY_PRIVATE_KEY: must be that of billing')
  })
})
