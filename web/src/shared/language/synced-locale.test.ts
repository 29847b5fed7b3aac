import { expect, it } from 'vitest'
import { storedUser as ada } from '../../testing/given-user.ts'
import type { StoredUser } from '../session/index.ts'
import { decideLocaleMove } from './synced-locale.ts'

const english: StoredUser = { ...ada, preferences: { ...ada.preferences, locale: 'en' } }

it('the account’s language applies in every browser its owner signs in with, and when it changes', () => {
  expect(decideLocaleMove(null, english, true)).toEqual({ show: 'en' })
  expect(decideLocaleMove({ ...english, _id: 'u2' }, english, true)).toEqual({ show: 'en' })
  expect(decideLocaleMove(ada, english, true)).toEqual({ show: 'en' })
})

it('an account without a language adopts the one chosen in the browser', () => {
  expect(decideLocaleMove(null, ada, true)).toBe('keep')
  expect(decideLocaleMove(null, ada, false)).toBe('none')
  expect(decideLocaleMove(english, ada, true)).toBe('none')
})

it('other changes of the account and signing out do not change the language', () => {
  expect(decideLocaleMove(english, { ...english, displayName: 'Ada' }, true)).toBe('none')
  expect(decideLocaleMove(english, null, true)).toBe('none')
})
