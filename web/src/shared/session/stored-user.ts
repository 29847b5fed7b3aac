import type { User } from '@parley/contracts'
import { parseStored } from './storage.ts'

/** The signed-in user as stored in this browser: without the e-mail address. */
export type StoredUser = Omit<User, 'email'>

/** Removes the e-mail address from a user of the API. */
export function withoutEmail(user: User): StoredUser {
  const { email: _, ...rest } = user
  return rest
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A stored user, or null when the text is invalid: the user may have edited it. */
export function parseStoredUser(raw: string | null): StoredUser | null {
  const value = parseStored(raw)
  if (!isRecord(value) || typeof value._id !== 'string' || typeof value.username !== 'string') return null
  if (typeof value.isAdmin !== 'boolean' || typeof value.isBanned !== 'boolean' || !isRecord(value.preferences))
    return null
  const { email: _, ...rest } = value
  return rest as unknown as StoredUser
}

/** A stored access token, or null when it cannot be one (three base64url parts). */
export function parseStoredToken(raw: string | null): string | null {
  return raw !== null && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(raw) ? raw : null
}

/** A stored guest id, or null when it is not valid in a header. */
export function parseStoredGuestId(raw: string | null): string | null {
  return raw !== null && /^[\x21-\x7e]{1,512}$/.test(raw) ? raw : null
}
