import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { clearSession, endSession, signIn } from '../shared/session/index.ts'
import { givenStorage } from '../testing/given-storage.ts'
import { user } from '../testing/given-user.ts'
import { followSignOuts, isLeftPath } from './left-path.ts'

let stop: () => void

beforeEach(() => {
  givenStorage()
  vi.stubGlobal('location', { pathname: '/c/1', search: '?m=2', hash: '' })
  stop = followSignOuts()
  signIn('a.b.c', user)
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

it('the path shown at a sign-out is the former user’s, until another one signs in', () => {
  clearSession()
  expect(isLeftPath('/c/1?m=2')).toBe(true)
  expect(isLeftPath('/profile')).toBe(false)
  signIn('a.b.d', { ...user, _id: 'u2' })
  expect(isLeftPath('/c/1?m=2')).toBe(false)
})

it('the path shown when a session expires is where its user continues', () => {
  endSession()
  expect(isLeftPath('/c/1?m=2')).toBe(false)
})
