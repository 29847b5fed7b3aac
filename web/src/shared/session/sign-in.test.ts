import type { User } from '@parley/contracts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { user } from '../../testing/given-user.ts'
import {
  clearSession,
  endSession,
  endViewing,
  followOtherTabs,
  getSession,
  hasLeft,
  markBanned,
  readSession,
  setGuestSessionId,
  setRights,
  setUser,
  signIn,
  startViewing,
  useSession,
} from './session.ts'

/** A storage like the browser's: its keys are own properties, its methods are not. */
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
  useSession.setState({ token: null, user: null, guestSessionId: null, banned: false, viewing: null })
})
afterEach(() => vi.unstubAllGlobals())

it('signing in stores token and user for the next visit, and removes the e-mail address and the guest', () => {
  setGuestSessionId('guest-1')
  setGuestSessionId('not an id')
  expect(getSession().guestSessionId).toBe('guest-1')
  signIn('a.b.c', user)
  expect(getSession()).toMatchObject({ token: 'a.b.c', guestSessionId: null })
  expect(readSession()).toMatchObject({ token: 'a.b.c', user: { _id: 'u1' }, guestSessionId: null })
  setUser({ ...user, displayName: 'Ada' })
  expect(JSON.stringify({ ...localStorage })).not.toContain('example.com')
  expect(JSON.stringify(getSession())).not.toContain('example.com')
  expect(readSession().user?.displayName).toBe('Ada')
})

it('a listener to signing in can make calls with the new token immediately', () => {
  const heard: unknown[] = []
  const stop = useSession.subscribe(({ token, user: now }) => heard.push([token, now?._id]))
  signIn('a.b.c', user)
  stop()
  expect(heard).toEqual([['a.b.c', 'u1']])
})

it('signing out removes the user’s data and keeps the browser’s', () => {
  signIn('a.b.c', user)
  localStorage.setItem('theme', 'delglight')
  localStorage.setItem('private:draft:c1', 'A secret draft')
  sessionStorage.setItem('private:guest-thread', 'A secret thread')
  clearSession()
  expect(getSession()).toEqual({ token: null, user: null, guestSessionId: null, banned: false, viewing: null })
  expect({ ...localStorage }).toEqual({ theme: 'delglight' })
  expect({ ...sessionStorage }).toEqual({})
  expect(hasLeft()).toBe(true)
  signIn('a.b.d', user)
  endSession()
  expect(hasLeft()).toBe(false)
})

it('changed rights lift a ban', () => {
  signIn('a.b.c', { ...user, isBanned: true })
  expect(getSession().banned).toBe(true)
  setUser(user)
  expect(getSession().banned).toBe(false)
})

describe('another tab', () => {
  /** Acts as another tab: with its own session storage, and known to this tab by events. */
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

  it.each([
    [
      'in another user, whose token is never stored with this one’s data',
      { token: 'a.b.d', user: JSON.stringify({ ...user, _id: 'u2' }) },
    ],
    ['the user out, of whom nothing more is stored', {}],
  ])('that signs %s', (_, stored) => {
    signIn('a.b.c', user)
    // Its events have not arrived yet.
    vi.stubGlobal('localStorage', Object.assign(storage(), stored))
    setUser({ ...user, displayName: 'Ada' })
    setRights({ isAdmin: true, isBanned: false })
    expect({ ...localStorage }).toEqual(stored)
  })

  it('that signs out removes the user’s data in this tab', () => {
    signIn('a.b.c', user)
    sessionStorage.setItem('private:guest-thread', 'A secret thread')
    elsewhere(clearSession)
    expect(getSession()).toMatchObject({ token: null, user: null })
    expect({ ...sessionStorage }).toEqual({})
    expect(hasLeft()).toBe(true)
  })

  it('that signs in after a sign-out may have its drafts kept again', () => {
    signIn('a.b.c', user)
    elsewhere(clearSession)
    // Not by `signIn`, which is of this tab.
    elsewhere(() => {
      localStorage.setItem('user', JSON.stringify(user))
      localStorage.setItem('token', 'a.b.d')
    })
    elsewhere(endSession)
    expect(getSession().user).toBeNull()
    expect(hasLeft()).toBe(false)
  })

  it('whose session expires keeps the drafts of the user', () => {
    signIn('a.b.c', user)
    sessionStorage.setItem('private:guest-thread', 'A secret thread')
    elsewhere(endSession)
    expect(getSession()).toMatchObject({ token: null, user: null })
    expect({ ...sessionStorage }).toEqual({ 'private:guest-thread': 'A secret thread' })
  })
})

describe('an admin who views as a user', () => {
  const admin: User = { ...user, _id: 'a1', username: 'root', isAdmin: true }
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

  /** Starts viewing as a user and reloads the page like the browser. Returns the addresses that were navigated to. */
  function view(as: User, expiresAt = inAnHour()): string[] {
    const visited: string[] = []
    vi.stubGlobal('location', { assign: (path: string) => void visited.push(path) })
    signIn('a.b.admin', admin)
    expect(startViewing({ token: 'a.b.view', user: as, expiresAt })).toBe(true)
    useSession.setState(readSession())
    return visited
  }

  it('has the session of the view only in this tab, without rights, and returns as the admin to the user’s page', () => {
    const visited = view({ ...user, isAdmin: true, isSuperAdmin: true })
    expect(getSession()).toMatchObject({
      token: 'a.b.view',
      user: { _id: 'u1', isAdmin: false, isSuperAdmin: false },
      viewing: { adminId: 'a1' },
    })
    vi.stubGlobal('sessionStorage', { ...storage(), getItem: () => null })
    expect(readSession()).toMatchObject({ token: 'a.b.admin', user: { _id: 'a1' }, viewing: null })
    expect(visited).toEqual(['/profile'])
  })

  it('keeps the stored data of the admin, whatever the server says about the user', () => {
    view(user)
    const kept = { ...localStorage }
    setUser({ ...user, displayName: 'Ada', isBanned: true })
    markBanned()
    expect(getSession()).toMatchObject({ user: { displayName: 'Ada' }, banned: false })
    expect(readSession().user?.displayName).toBe('Ada')
    expect({ ...localStorage }).toEqual(kept)
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('example.com')
  })

  it('is sent back to the user’s page once, and the token of the view is removed', () => {
    const visited = view(user)
    endViewing()
    endViewing()
    // A late response.
    setUser(user)
    expect(visited).toEqual(['/profile', '/admin/users/u1'])
    expect({ ...sessionStorage }).toEqual({})
    expect(readSession()).toMatchObject({ token: 'a.b.admin', user: { _id: 'a1' }, viewing: null })
  })

  it('ends the view when its token expires, the admin signs out, or somebody else signs in', () => {
    view(user, new Date(Date.now() - 1).toISOString())
    expect(getSession()).toMatchObject({ token: 'a.b.admin', viewing: null })
    view(user)
    signIn('a.b.other', { ...user, _id: 'u2' })
    expect(readSession()).toMatchObject({ token: 'a.b.other', viewing: null })
    view(user)
    clearSession()
    expect(readSession()).toMatchObject({ token: null, viewing: null })
    expect({ ...sessionStorage }).toEqual({})
  })

  it('cannot start if the tab’s storage is unavailable', () => {
    signIn('a.b.admin', admin)
    vi.stubGlobal('sessionStorage', undefined)
    expect(startViewing({ token: 'a.b.view', user, expiresAt: inAnHour() })).toBe(false)
  })
})
