import { createHash } from 'node:crypto'

/** What is kept of a user who was erased, so that nothing that comes late brings them back: SHA-256 of the id, which nobody can guess. */
export const erasedHash = (userId: string): Buffer => createHash('sha256').update(userId).digest()

/** What stands in place of an erased user's id where what they did has to stay. */
export const anonymousId = (userId: string): string => `deleted:${erasedHash(userId).toString('hex').slice(0, 12)}`
