import type { User } from '@parley/contracts'
import { create } from 'zustand'
import { clearPrivate, readLocal, writeLocal } from './storage.ts'
import { parseStoredGuestId, parseStoredToken, parseStoredUser, type StoredUser, withoutEmail } from './stored-user.ts'
import { holds, readView, type Viewing, viewedUser, writeView } from './viewing.ts'

/** The user of this browser. `token` and `user` are always set together. */
export interface Session {
  readonly token: string | null
  readonly user: StoredUser | null
  readonly guestSessionId: string | null
  /** The server reported that the account is banned; the suspension overlay covers everything. */
  readonly banned: boolean
  /** Set while an admin views the product as `user` in this tab; `token` is then that of the view. */
  readonly viewing: Viewing | null
}

/** The session of this tab: from local storage, or the view that an admin started in this tab. A damaged entry counts as absent. */
export function readSession(): Session {
  const own = readOwnSession()
  const view = readView()
  if (view === null) return own
  if (!holds(view, own.user, Date.now())) {
    writeView(null)
    return own
  }
  const { token, user, adminId, expiresAt } = view
  return { ...own, token, user, banned: false, viewing: { adminId, expiresAt } }
}

function readOwnSession(): Session {
  const token = parseStoredToken(readLocal('token'))
  const user = parseStoredUser(readLocal('user'))
  const guestSessionId = parseStoredGuestId(readLocal('guestSessionId'))
  return token && user
    ? { token, user, guestSessionId, banned: user.isBanned, viewing: null }
    : { token: null, user: null, guestSessionId, banned: false, viewing: null }
}

/** The session of this tab; changes in other tabs arrive through `followOtherTabs`. */
export const useSession = create<Session>(readSession)

/** The session outside of components. */
export const getSession = (): Session => useSession.getState()

/** Applies what another tab may have stored since. Returns the resulting session. */
export function adoptStoredSession(): Session {
  const stored = readSession()
  if (stored.token !== getSession().token) useSession.setState(stored)
  return getSession()
}

let left = false

/** Whether the last user of this tab signed out, here or in another one: nothing more of theirs may be stored. */
export const hasLeft = (): boolean => left && getSession().user === null

/** Stores a token and its user: after login, registration, verification and refresh. */
export function signIn(token: string, user: User): void {
  left = false
  const stored = withoutEmail(user)
  writeLocal('token', token)
  writeLocal('user', JSON.stringify(stored))
  writeLocal('guestSessionId', null)
  // In one update: subscribers to the user make calls with the token.
  useSession.setState({ token, user: stored, banned: stored.isBanned, guestSessionId: null, viewing: null })
}

/** Applies the server's state of the signed-in user. */
export function setUser(user: User): void {
  if (getSession().viewing) {
    const viewed = viewedUser(user)
    // Nothing is stored once the view has ended and the page is about to unload.
    const view = readView()
    if (view) writeView({ ...view, user: viewed })
    useSession.setState({ user: viewed })
    return
  }
  const stored = withoutEmail(user)
  storeUser(stored)
  useSession.setState({ user: stored, banned: stored.isBanned })
}

/** Stores the user's new state, unless another tab has stored another user's sign-in or a sign-out, whose event is still on its way. */
function storeUser(user: StoredUser): void {
  if (parseStoredUser(readLocal('user'))?._id === user._id) writeLocal('user', JSON.stringify(user))
}

/** Updates the signed-in user's rights, as pushed by the server. */
export function setRights(rights: { isBanned: boolean; isAdmin: boolean }): void {
  const { user, viewing } = getSession()
  // A viewed user's rights are not those of the admin.
  if (!user || viewing) return
  const changed = { ...user, ...rights }
  storeUser(changed)
  useSession.setState({ user: changed, banned: rights.isBanned })
}

/** Shows the suspension overlay after the server refused a call because of a ban. */
export function markBanned(): void {
  const { user } = getSession()
  if (user) setRights({ isBanned: true, isAdmin: user.isAdmin })
}

/** Stores the signed guest id from the server. */
export function setGuestSessionId(id: string): void {
  if (parseStoredGuestId(id) === null || id === getSession().guestSessionId) return
  writeLocal('guestSessionId', id)
  useSession.setState({ guestSessionId: id })
}

/** Drops token and user because the server no longer accepts them. Drafts stay for the next sign-in. */
export function endSession(): void {
  writeLocal('token', null)
  writeLocal('user', null)
  useSession.setState({ token: null, user: null, banned: false, viewing: null })
}

/** Written and removed immediately, as a signal to other tabs that the user signed out. A session that only expired keeps the drafts. */
const leftKey = 'left'

/** Removes everything of this user, in every tab, even if the server could not be told. */
export function clearSession(): void {
  left = true
  clearPrivate()
  writeLocal(leftKey, '1')
  writeLocal(leftKey, null)
  endSession()
  writeLocal('guestSessionId', null)
  useSession.setState({ guestSessionId: null })
}

/**
 * Shows the product as a user, in this tab until `endViewing`, expiry or sign-out; the page is reloaded, so that no state of the admin remains.
 * Returns false when the tab cannot store anything.
 */
export function startViewing({ token, user, expiresAt }: { token: string; user: User; expiresAt: string }): boolean {
  const admin = getSession().user
  if (!admin) return false
  writeView({ token, user: viewedUser(user), adminId: admin._id, expiresAt })
  if (readView() === null) return false
  location.assign('/profile')
  return true
}

/** Returns the tab to the admin, on the viewed user's page. Does nothing without a view. */
export function endViewing(): void {
  const view = readView()
  if (view === null) return
  writeView(null)
  location.assign(`/admin/users/${encodeURIComponent(view.user._id)}`)
}

/** Follows sign-in and sign-out in other tabs. Returns a function that stops. */
export function followOtherTabs(target: Window = window): () => void {
  const take = (event: StorageEvent) => {
    // Session storage is per tab, so each tab clears its own.
    if (event.key === leftKey) {
      left = true
      clearPrivate()
    }
    if (event.key === 'token' && event.newValue !== null) left = false
    if (event.key === null || ['token', 'user', 'guestSessionId'].includes(event.key))
      useSession.setState(readSession())
  }
  target.addEventListener('storage', take)
  return () => target.removeEventListener('storage', take)
}
