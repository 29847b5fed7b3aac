import { describe, expect, it } from 'vitest'
import { user } from '../../testing/given-user.ts'
import { parseStored } from './storage.ts'
import { parseStoredGuestId, parseStoredToken, parseStoredUser, withoutEmail } from './stored-user.ts'

describe('the stored user', () => {
  it('never holds the e-mail address', () => {
    const stored = JSON.stringify(withoutEmail(user))
    expect(stored).not.toContain('example.com')
    expect(parseStoredUser(stored)).toEqual(withoutEmail(user))
    expect(parseStoredUser(JSON.stringify(user))).not.toHaveProperty('email')
  })

  it.each([
    null,
    '',
    'undefined',
    '{',
    '[]',
    '7',
    'null',
    '{}',
    '{"_id":"u1"}',
    JSON.stringify({ ...user, isAdmin: 'yes' }),
  ])('is absent when %j is stored', (raw) => {
    expect(parseStoredUser(raw)).toBeNull()
  })
})

describe('other stored values', () => {
  it('a token has three parts and no characters that could break out of its header', () => {
    expect(parseStoredToken('aa.b-b.c_c')).toBe('aa.b-b.c_c')
    for (const raw of [null, '', 'undefined', 'a.b', 'a.b.c\r\nx: y', 'a.b.c d'])
      expect(parseStoredToken(raw)).toBeNull()
  })

  it('a guest id contains only characters that are allowed in a header', () => {
    expect(parseStoredGuestId('g1.sig=')).toBe('g1.sig=')
    for (const raw of [null, '', 'a b', 'a\n', 'ü', 'x'.repeat(513)]) expect(parseStoredGuestId(raw)).toBeNull()
  })

  it('damaged JSON is ignored', () => {
    expect(parseStored('{"a":')).toBeNull()
    expect(parseStored('{"a":1}')).toEqual({ a: 1 })
  })
})
