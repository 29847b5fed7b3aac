import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { NewId } from '@parley/kit'

/** The header that a guest's signed session id travels in, both ways. */
export const guestSessionHeader = 'x-guest-session-id'

/** A guest session: its id, and the signed form that the guest keeps. */
export interface GuestSessionId {
  readonly id: string
  readonly token: string
}

/** Issues and recognises guest sessions. Nothing is stored: the signature tells ours from made-up ones. */
export interface GuestSessions {
  issue(): GuestSessionId
  /** Undefined when it is missing, malformed or not ours. */
  read(token: unknown): GuestSessionId | undefined
}

const tokenForm = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{43})$/

/** @param secret shared by all replicas; the signing key is derived from it and serves nothing else */
export function createGuestSessions(secret: string, newId: NewId): GuestSessions {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley guest session', 32))
  const sign = (id: string): Buffer => createHmac('sha256', key).update(id).digest()
  return {
    issue() {
      const id = newId()
      return { id, token: `${id}.${sign(id).toString('base64url')}` }
    },
    read(token) {
      const [, id, signature] = (typeof token === 'string' && tokenForm.exec(token)) || []
      if (id === undefined || signature === undefined) return undefined
      if (!timingSafeEqual(sign(id), Buffer.from(signature, 'base64url'))) return undefined
      // The last character of base64url has spare bits: the token is made anew, so that one session has one spelling.
      return { id, token: `${id}.${sign(id).toString('base64url')}` }
    },
  }
}
