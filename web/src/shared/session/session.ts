import type { User } from '@parley/contracts'
import { create } from 'zustand'
import { clearPrivate, readLocal, writeLocal } from './storage.ts'
import { parseStoredGuestId, parseStoredToken, parseStoredUser, type StoredUser, withoutEmail } from './stored-user.ts'

/** Who uses this browser. `token` and `user` are set together or not at all. */
export interface Session {
  readonly token: string | null
  readonly user: StoredUser | null
  readonly guestSessionId: string | null
  /** The server said that the account is banned; the suspension overlay covers everything. */
  readonly banned: boolean
}

/** The session as local storage has it; a damaged entry counts as absent. */
export function readSession(): Session {
  const token = parseStoredToken(readLocal('token'))
  const user = parseStoredUser(readLocal('user'))
  const guestSessionId = parseStoredGuestId(readLocal('guestSessionId'))
  return token && user
    ? { token, user, guestSessionId, banned: user.isBanned }
    : { token: null, user: null, guestSessionId, banned: false }
}

/** The session of this tab; other tabs' changes arrive through `followOtherTabs`. */
export const useSession = create<Session>(readSession)

/** The session outside of components. */
export const getSession = (): Session => useSession.getState()

/** Takes over what another tab may have stored since. Answers the session as it is then. */
export function adoptStoredSession(): Session {
  const stored = readSession()
  if (stored.token !== getSession().token) useSession.setState(stored)
  return getSession()
}

/** Stores a token and its user: after login, registration, verification and refresh. */
export function signIn(token: string, user: User): void {
  const stored = withoutEmail(user)
  writeLocal('token', token)
  writeLocal('user', JSON.stringify(stored))
  writeLocal('guestSessionId', null)
  // In one change: who hears of the user calls with the token.
  useSession.setState({ token, user: stored, banned: stored.isBanned, guestSessionId: null })
}

/** Takes over what the server says about the signed-in user. */
export function setUser(user: User): void {
  const stored = withoutEmail(user)
  writeLocal('user', JSON.stringify(stored))
  useSession.setState({ user: stored, banned: stored.isBanned })
}

/** Changes rights of the signed-in user, as pushed by the server. */
export function setRights(rights: { isBanned: boolean; isAdmin: boolean }): void {
  const { user } = getSession()
  if (!user) return
  const changed = { ...user, ...rights }
  writeLocal('user', JSON.stringify(changed))
  useSession.setState({ user: changed, banned: rights.isBanned })
}

/** Shows the suspension overlay: the server refused a call because of a ban. */
export function markBanned(): void {
  const { user } = getSession()
  if (user) setRights({ isBanned: true, isAdmin: user.isAdmin })
}

/** Keeps the signed guest id that the server gave. */
export function setGuestSessionId(id: string): void {
  if (parseStoredGuestId(id) === null || id === getSession().guestSessionId) return
  writeLocal('guestSessionId', id)
  useSession.setState({ guestSessionId: id })
}

/** Forgets the token and user because the server no longer accepts them. Drafts stay for the next sign-in. */
export function endSession(): void {
  writeLocal('token', null)
  writeLocal('user', null)
  useSession.setState({ token: null, user: null, banned: false })
}

/** Written and removed at once: what other tabs hear of it is that the person left. A session that only ended leaves drafts to its owner. */
const leftKey = 'left'

/** Forgets everything of this person, in every tab, also when the server could not be told. */
export function clearSession(): void {
  clearPrivate()
  writeLocal(leftKey, '1')
  writeLocal(leftKey, null)
  endSession()
  writeLocal('guestSessionId', null)
  useSession.setState({ guestSessionId: null })
}

/** Takes over sign-in and sign-out of other tabs. Answers a function that ends it. */
export function followOtherTabs(target: Window = window): () => void {
  const take = (event: StorageEvent) => {
    // Each tab has a storage of its own beside the shared one.
    if (event.key === leftKey) clearPrivate()
    if (event.key === null || ['token', 'user', 'guestSessionId'].includes(event.key))
      useSession.setState(readSession())
  }
  target.addEventListener('storage', take)
  return () => target.removeEventListener('storage', take)
}
