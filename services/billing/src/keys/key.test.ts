import { describe, expect, it } from 'vitest'
import { knownKeyOf, type StoredKey } from './key.ts'

const now = new Date('2026-03-15T12:00:00.000Z')
const [before, soon, later] = [-1, 1_000, 2_000].map((ms) => new Date(now.getTime() + ms)) as [Date, Date, Date]
const key: StoredKey = {
  id: 'key',
  seq: 1,
  userId: 'ann',
  label: 'Build',
  prefix: 'sk-Ab12',
  lastFour: 'wxyz',
  tier: 1,
  customLimits: null,
  version: 1,
  createdAt: before,
  lastUsed: null,
  expiresAt: null,
}

describe('a looked-up secret', () => {
  it('without a key admits nothing', () => {
    expect(knownKeyOf(undefined, now)).toBeNull()
  })

  it.each([
    ['without an end is good for good', null, null, null],
    ['of a key that expires is good until then', soon, null, soon],
    ['of before a rotation is good until the overlap ends', null, soon, soon],
    ['ends with the overlap when that is first', later, soon, soon],
    ['ends with its key when that is first', soon, later, soon],
  ])('%s', (_what, expiresAt, endsAt, end) => {
    const known = { keyId: 'key', userId: 'ann', tier: 1, customLimits: null, endsAt: end?.toISOString() ?? null }
    expect(knownKeyOf({ key: { ...key, expiresAt }, endsAt }, now)).toEqual(known)
  })

  it.each([
    ['whose key has expired', before, null],
    ['whose key expires now', now, null],
    ['whose overlap is over', later, before],
  ])('%s admits nothing', (_what, expiresAt, endsAt) => {
    expect(knownKeyOf({ key: { ...key, expiresAt }, endsAt }, now)).toBeNull()
  })
})
