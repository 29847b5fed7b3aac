import { defaultPreferences, type User } from '@parley/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  clearSession,
  endSession,
  followOtherTabs,
  getSession,
  readSession,
  setGuestSessionId,
  setUser,
  signIn,
  useSession,
} from './session.ts'

const user: User = {
  _id: 'u1',
  username: 'ada',
  email: 'ada@example.com',
  displayName: null,
  isAdmin: false,
  isSuperAdmin: false,
  isBanned: false,
  emailVerified: true,
  authType: 'local',
  hasPassword: true,
  emailProblem: null,
  preferences: defaultPreferences,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastLoginAt: null,
}

/** A storage as browsers have it: its keys are its own properties, its functions are not. */
function storage(): Record<string, unknown> {
  return Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  })
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
  useSession.setState({ token: null, user: null, guestSessionId: null, banned: false })
})
afterEach(() => vi.unstubAllGlobals())

it('signing in keeps token and user for the next visit, no e-mail address and no guest', () => {
  setGuestSessionId('guest-1')
  signIn('a.b.c', user)
  expect(getSession()).toMatchObject({ token: 'a.b.c', guestSessionId: null })
  expect(readSession()).toMatchObject({ token: 'a.b.c', user: { _id: 'u1' }, guestSessionId: null })
  setUser({ ...user, displayName: 'Ada' })
  expect(JSON.stringify({ ...localStorage })).not.toContain('example.com')
  expect(JSON.stringify(getSession())).not.toContain('example.com')
  expect(readSession().user?.displayName).toBe('Ada')
})

it('who hears of a sign-in can call with its token at once', () => {
  const heard: unknown[] = []
  const stop = useSession.subscribe(({ token, user: now }) => heard.push([token, now?._id]))
  signIn('a.b.c', user)
  stop()
  expect(heard).toEqual([['a.b.c', 'u1']])
})

it('signing out leaves nothing of the person, and what belongs to the browser', () => {
  signIn('a.b.c', user)
  localStorage.setItem('theme', 'delglight')
  localStorage.setItem('private:draft:c1', 'A secret draft')
  sessionStorage.setItem('private:guest-thread', 'A secret thread')
  clearSession()
  expect(getSession()).toEqual({ token: null, user: null, guestSessionId: null, banned: false })
  expect({ ...localStorage }).toEqual({ theme: 'delglight' })
  expect({ ...sessionStorage }).toEqual({})
})

it('a new rights state takes the banned mark away again', () => {
  signIn('a.b.c', { ...user, isBanned: true })
  expect(getSession().banned).toBe(true)
  setUser(user)
  expect(getSession().banned).toBe(false)
})

describe('in another tab', () => {
  /** Does something as another tab does it: with a tab's storage of its own, and told to this one by events. */
  function elsewhere(act: () => void): void {
    const tab = new EventTarget()
    const end = followOtherTabs(tab as Window)
    const heard: { key: string; newValue: string | null }[] = []
    const shared = globalThis.localStorage
    const own = { session: getSession(), storage: globalThis.sessionStorage }
    vi.stubGlobal('sessionStorage', storage())
    vi.stubGlobal(
      'localStorage',
      new Proxy(shared, {
        get: (target, name) =>
          name === 'setItem' || name === 'removeItem'
            ? (key: string, value: string) => {
                target[name](key, value)
                heard.push({ key, newValue: name === 'setItem' ? value : null })
              }
            : Reflect.get(target, name),
      }),
    )
    act()
    useSession.setState(own.session)
    vi.stubGlobal('localStorage', shared)
    vi.stubGlobal('sessionStorage', own.storage)
    for (const event of heard) tab.dispatchEvent(Object.assign(new Event('storage'), event))
    end()
  }

  it('signing out takes along what this one keeps of the person', () => {
    signIn('a.b.c', user)
    sessionStorage.setItem('private:guest-thread', 'A secret thread')
    elsewhere(clearSession)
    expect(getSession()).toMatchObject({ token: null, user: null })
    expect({ ...sessionStorage }).toEqual({})
  })

  it('a session that is over leaves what its owner comes back to', () => {
    signIn('a.b.c', user)
    sessionStorage.setItem('private:guest-thread', 'A secret thread')
    elsewhere(endSession)
    expect(getSession()).toMatchObject({ token: null, user: null })
    expect({ ...sessionStorage }).toEqual({ 'private:guest-thread': 'A secret thread' })
  })
})
