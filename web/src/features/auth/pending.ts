import { create } from 'zustand'
import { parseStored, privatePrefix, readTab, useSession, writeTab } from '../../shared/session/index.ts'

/** A registration whose e-mail address is not verified yet. */
export interface Pending {
  readonly username: string
  /** Not stored, so it is known only until the page is reloaded. */
  readonly email: string | null
  /** When the last code was requested, in milliseconds since 1970. */
  readonly sentAt: number
}

const key = `${privatePrefix}verification`

/** Parses a stored pending verification; null when invalid. */
export function parsePending(raw: string | null): Pending | null {
  const value = parseStored(raw)
  if (typeof value !== 'object' || value === null) return null
  const { username, sentAt } = value as Record<string, unknown>
  return typeof username === 'string' && typeof sentAt === 'number' ? { username, email: null, sentAt } : null
}

const readPending = (): Pending | null => parsePending(readTab(key))

/** This tab's pending verification, kept across reloads. */
export const usePending = create<{ pending: Pending | null }>(() => ({ pending: readPending() }))

// Signing out, here or in another tab, discards it.
useSession.subscribe(({ token }, before) => {
  if (before.token !== null && token === null) usePending.setState({ pending: readPending() })
})

/** Starts the verification step, or leaves it with null. Without storage a reload leads to sign-in, which leads here again. */
export function setPending(pending: Pending | null): void {
  usePending.setState({ pending })
  writeTab(key, pending && JSON.stringify({ username: pending.username, sentAt: pending.sentAt }))
}
