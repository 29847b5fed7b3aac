import type { User } from '@parley/contracts'
import { parseStored, privatePrefix, readTab, writeTab } from './storage.ts'
import { parseStoredToken, parseStoredUser, type StoredUser, withoutEmail } from './stored-user.ts'

/** An admin's view of the product as another user. It is read-only and limited to one tab. */
export interface Viewing {
  readonly adminId: string
  /** Expiry of the token, ISO 8601. */
  readonly expiresAt: string
}

/** A view as stored in the tab. */
interface StoredView extends Viewing {
  readonly token: string
  readonly user: StoredUser
}

const key = `${privatePrefix}viewing`

/** The viewed user, without rights that the gateway does not grant to a view either. */
export const viewedUser = (user: User): StoredUser => ({ ...withoutEmail(user), isAdmin: false, isSuperAdmin: false })

/** Stores a view in this tab; null removes it. */
export const writeView = (view: StoredView | null): void => writeTab(key, view && JSON.stringify(view))

/** The view stored in this tab; null when there is none, or the text is damaged. */
export function readView(): StoredView | null {
  const value = parseStored(readTab(key))
  if (typeof value !== 'object' || value === null) return null
  const { token, user, adminId, expiresAt } = value as Partial<Record<keyof StoredView, unknown>>
  const view = { token: parseStoredToken(String(token)), user: parseStoredUser(JSON.stringify(user ?? null)) }
  if (!view.token || !view.user || typeof adminId !== 'string' || typeof expiresAt !== 'string') return null
  return { token: view.token, user: view.user, adminId, expiresAt }
}

/** True while the view may be shown: its admin is signed in to this browser, and the token has not expired. */
export const holds = (view: StoredView, signedIn: StoredUser | null, now: number): boolean =>
  view.adminId === signedIn?._id && Date.parse(view.expiresAt) > now
