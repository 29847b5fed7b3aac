import { create } from 'zustand'
import { parseStored, privatePrefix, readTab, useSession, writeTab } from '../../shared/session/index.ts'

/** A registration whose e-mail address awaits its code. */
export interface Pending {
  readonly username: string
  /** Known until the page is reloaded: it is not stored. */
  readonly email: string | null
  /** When the last code was asked for, in milliseconds since 1970. */
  readonly sentAt: number
}

const key = `${privatePrefix}verification`

/** A stored pending verification, or null when the text is not one. */
export function parsePending(raw: string | null): Pending | null {
  const value = parseStored(raw)
  if (typeof value !== 'object' || value === null) return null
  const { username, sentAt } = value as Record<string, unknown>
  return typeof username === 'string' && typeof sentAt === 'number' ? { username, email: null, sentAt } : null
}

const readPending = (): Pending | null => parsePending(readTab(key))

/** The verification this tab is at, kept through a reload. */
export const usePending = create<{ pending: Pending | null }>(() => ({ pending: readPending() }))

// Who signs out, here or in another tab, leaves no verification to the next one.
useSession.subscribe(({ token }, before) => {
  if (before.token !== null && token === null) usePending.setState({ pending: readPending() })
})

/** Goes to the verification step, or leaves it with null. Without storage a reload leads back to signing in, which leads here again. */
export function setPending(pending: Pending | null): void {
  usePending.setState({ pending })
  writeTab(key, pending && JSON.stringify({ username: pending.username, sentAt: pending.sentAt }))
}
