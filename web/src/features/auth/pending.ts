import { create } from 'zustand'
import { parseStored, privatePrefix, useSession } from '../../shared/session/index.ts'

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

function readPending(): Pending | null {
  try {
    return parsePending(sessionStorage.getItem(key))
  } catch {
    return null
  }
}

/** The verification this tab is at, kept through a reload. */
export const usePending = create<{ pending: Pending | null }>(() => ({ pending: readPending() }))

// Who signs out, here or in another tab, leaves no verification to the next one.
useSession.subscribe(({ token }, before) => {
  if (before.token !== null && token === null) usePending.setState({ pending: readPending() })
})

/** Goes to the verification step, or leaves it with null. */
export function setPending(pending: Pending | null): void {
  usePending.setState({ pending })
  try {
    if (pending === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify({ username: pending.username, sentAt: pending.sentAt }))
  } catch {
    // Without storage a reload leads back to signing in, which leads here again.
  }
}
