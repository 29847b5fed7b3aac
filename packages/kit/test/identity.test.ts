import type { Principal } from '@parley/contracts'
import jwt from 'jsonwebtoken'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createIdentityCodec } from '../src/index.ts'

const secret = 'a secret of at least thirty-two characters'
const codec = createIdentityCodec(secret)
const guest: Principal = { kind: 'guest', network: '4:127.0.0.1', requestId: 'request-1' }

afterEach(() => {
  vi.useRealTimers()
})

describe('the statement of identity', () => {
  it('is read back as it was signed', () => {
    expect(codec.verify(codec.sign(guest))).toEqual(guest)
  })
  it('is refused from another secret', () => {
    expect(createIdentityCodec(`${secret}!`).verify(codec.sign(guest))).toBeUndefined()
  })
  it('is refused without a signature', () => {
    expect(codec.verify(jwt.sign(guest, '', { algorithm: 'none' }))).toBeUndefined()
  })
  it('is refused in another algorithm of the same secret', () => {
    expect(codec.verify(jwt.sign(guest, secret, { algorithm: 'HS512' }))).toBeUndefined()
  })
  it('is refused when it says something else than a principal', () => {
    expect(codec.verify(jwt.sign({ kind: 'root' }, secret, { algorithm: 'HS256' }))).toBeUndefined()
  })
  it.each([undefined, '', 'x', 'a.b.c'])('is refused as %s', (header) => {
    expect(codec.verify(header)).toBeUndefined()
  })
  it('is refused when it is older than a minute and the leeway', () => {
    vi.useFakeTimers()
    const header = codec.sign(guest)
    vi.setSystemTime(Date.now() + 60_000)
    expect(codec.verify(header)).toEqual(guest)
    vi.setSystemTime(Date.now() + 6_000)
    expect(codec.verify(header)).toBeUndefined()
  })
})
