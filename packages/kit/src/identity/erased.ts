import { createHash } from 'node:crypto'

/** The trace kept of an erased user, so that late data does not bring them back: SHA-256 of the id, which nobody can guess. */
export const erasedHash = (userId: string): Buffer => createHash('sha256').update(userId).digest()

/** Replaces an erased user's id where their acts must be kept. */
export const anonymousId = (userId: string): string => `deleted:${erasedHash(userId).toString('hex').slice(0, 12)}`
