import { expect, it } from 'vitest'
import { storedUser } from '../../testing/given-user.ts'
import type { StoredUser } from '../session/index.ts'
import { decideThemeMove, parseLook } from './synced-theme.ts'

const old: StoredUser = { ...storedUser, lastLoginAt: '2026-02-01T00:00:00.000Z' }
const fresh: StoredUser = { ...old, lastLoginAt: '2026-01-01T00:10:00.000Z' }
const light = (user: StoredUser): StoredUser => ({ ...user, preferences: { ...user.preferences, theme: 'delglight' } })
const colors = { primary: '#112233', secondary: '#445566', accent: '#778899', neutral: '#aabbcc' }
const colored = (user: StoredUser): StoredUser => ({ ...user, preferences: { ...user.preferences, colors } })

it("the account's theme applies in every browser its owner signs in with", () => {
  expect(decideThemeMove(null, old, true)).toBe('to-browser')
  expect(decideThemeMove(null, light(fresh), true)).toBe('to-browser')
  expect(decideThemeMove(null, colored(fresh), true)).toBe('to-browser')
  expect(decideThemeMove({ ...old, _id: 'u2' }, old, true)).toBe('to-browser')
})

it('a new account adopts the theme of its browser', () => {
  expect(decideThemeMove(null, fresh, true)).toBe('to-account')
  expect(decideThemeMove(null, { ...fresh, lastLoginAt: null }, true)).toBe('to-account')
  expect(decideThemeMove(null, fresh, false)).toBe('none')
})

it('a theme changed in another browser applies, and no other change of the account affects it', () => {
  expect(decideThemeMove(old, light(old), true)).toBe('to-browser')
  expect(decideThemeMove(light(old), old, true)).toBe('to-browser')
  expect(decideThemeMove(old, colored(old), true)).toBe('to-browser')
  expect(decideThemeMove(light(old), { ...light(old), displayName: 'Ada' }, true)).toBe('none')
  expect(decideThemeMove(old, null, true)).toBe('none')
})

it('a stored theme is restored only if it is valid', () => {
  expect(parseLook('{"theme":null,"colors":"{}"}')).toEqual({ theme: null, colors: '{}' })
  for (const raw of [null, '', '{', '[]', '{}', '{"theme":1,"colors":null}']) expect(parseLook(raw)).toBeNull()
})
