import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { NewId, Secrets } from '@parley/kit'

/** The header that a guest's signed session id travels in, both ways. */
export const guestSessionHeader = 'x-guest-session-id'

/** Issues and recognises guest sessions. Nothing is stored: the signature distinguishes genuine ids from forged ones. */
export type GuestSessions = ReturnType<typeof createGuestSessions>

const tokenForm = /^([A-Za-z0-9_-]{1,64})\.([A-Za-z0-9_-]{43})$/

/** @param secrets shared by all replicas; a key is derived from each, of which the first signs */
export function createGuestSessions([present, ...former]: Secrets, newId: NewId) {
  const signer = (secret: string): ((id: string) => Buffer) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley guest session', 32))
    return (id) => createHmac('sha256', key).update(id).digest()
  }
  const sign = signer(present)
  const signers = [sign, ...former.map(signer)]
  return {
    /** A new session: its id, and the signed form that the guest keeps. */
    issue() {
      const id = newId()
      return { id, token: `${id}.${sign(id).toString('base64url')}` }
    },
    /** The session of a token; undefined when it is missing, malformed or not ours. */
    read(token: unknown) {
      const [, id, signature] = (typeof token === 'string' && tokenForm.exec(token)) || []
      if (id === undefined || signature === undefined) return undefined
      const given = Buffer.from(signature, 'base64url')
      if (!signers.some((signedBy) => timingSafeEqual(signedBy(id), given))) return undefined
      // Encoded again: the last character of base64url has unused bits, and a session has one spelling, signed by the current secret.
      return { id, token: `${id}.${sign(id).toString('base64url')}` }
    },
  }
}
