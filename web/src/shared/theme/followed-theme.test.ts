import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { givenStorage } from '../../testing/given-storage.ts'
import { storedUser } from '../../testing/given-user.ts'
import { type StoredUser, useSession } from '../session/index.ts'
import { followAccountTheme } from './synced-theme.ts'
import { setTheme, useTheme } from './theme.ts'

const dark: StoredUser = { ...storedUser, lastLoginAt: '2026-02-01T00:00:00.000Z' }
const light: StoredUser = { ...dark, _id: 'u2', preferences: { ...dark.preferences, theme: 'delglight' } }
const be = (user: StoredUser | null) => useSession.setState({ user, token: user && 'a.b.c' })
const shown = () => useTheme.getState().name
let stop = (): void => undefined

beforeEach(() => {
  givenStorage()
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  be(null)
  stop = followAccountTheme()
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

it('the browser has the theme back that its visitor chose last, whichever accounts it was signed in to meanwhile', () => {
  setTheme('system')
  be(light)
  expect(shown()).toBe('delglight')
  be(dark)
  expect(shown()).toBe('delgdark')
  be(null)
  expect(shown()).toBe('system')
  setTheme('delglight')
  be(dark)
  expect(shown()).toBe('delgdark')
  be(null)
  expect(shown()).toBe('delglight')
})
