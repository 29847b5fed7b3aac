import type { User } from '@parley/contracts'
import { create } from 'zustand'
import { clearPrivate, readLocal, writeLocal } from './storage.ts'
import { parseStoredGuestId, parseStoredToken, parseStoredUser, type StoredUser, withoutEmail } from './stored-user.ts'
import { holds, readView, type Viewing, viewedUser, writeView } from './viewing.ts'

/** Who uses this browser. `token` and `user` are set together or not at all. */
export interface Session {
  readonly token: string | null
  readonly user: StoredUser | null
  readonly guestSessionId: string | null
  /** The server said that the account is banned; the suspension overlay covers everything. */
  readonly banned: boolean
  /** Set while an admin sees the product as `user` in this tab; `token` is then that of the view. */
  readonly viewing: Viewing | null
}

/** The session of this tab: that of local storage, or the view that its admin began in this tab. A damaged entry counts as absent. */
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
  useSession.setState({ token, user: stored, banned: stored.isBanned, guestSessionId: null, viewing: null })
}

/** Takes over what the server says about the signed-in user. */
export function setUser(user: User): void {
  if (getSession().viewing) {
    const viewed = viewedUser(user)
    // Nothing is kept any more once the view was ended and the page is about to be left.
    const view = readView()
    if (view) writeView({ ...view, user: viewed })
    useSession.setState({ user: viewed })
    return
  }
  const stored = withoutEmail(user)
  writeLocal('user', JSON.stringify(stored))
  useSession.setState({ user: stored, banned: stored.isBanned })
}

/** Changes rights of the signed-in user, as pushed by the server. */
export function setRights(rights: { isBanned: boolean; isAdmin: boolean }): void {
  const { user, viewing } = getSession()
  // The rights of a viewed user are not those of who sits here.
  if (!user || viewing) return
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
  useSession.setState({ token: null, user: null, banned: false, viewing: null })
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

/**
 * Shows the product as a user, in this tab until `endViewing`, expiry or sign-out; the page is loaded anew, so that nothing of the admin is left in it.
 * Answers false when the tab may store nothing.
 */
export function startViewing({ token, user, expiresAt }: { token: string; user: User; expiresAt: string }): boolean {
  const admin = getSession().user
  if (!admin) return false
  writeView({ token, user: viewedUser(user), adminId: admin._id, expiresAt })
  if (readView() === null) return false
  location.assign('/profile')
  return true
}

/** Gives the tab back to the admin, on the page of the user who was viewed. Does nothing when nobody is viewed. */
export function endViewing(): void {
  const view = readView()
  if (view === null) return
  writeView(null)
  location.assign(`/admin/users/${encodeURIComponent(view.user._id)}`)
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
