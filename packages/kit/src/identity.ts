import { createSecretKey } from 'node:crypto'
import { type Principal, principalSchema } from '@parley/contracts'
import jwt from 'jsonwebtoken'

/** The header that a statement of identity travels in. */
export const identityHeader = 'x-identity'
const lifetimeSeconds = 60

/** Signs and reads the statement of identity that travels from the gateway to the services and between them. */
export interface IdentityCodec {
  /** A header value, good for 60 s. */
  sign(principal: Principal): string
  /** Undefined when it is missing, forged, expired or malformed. */
  verify(header: string | undefined): Principal | undefined
}

/** @param secret shared by the gateway and all services; at least 32 characters. */
export function createIdentityCodec(secret: string): IdentityCodec {
  const key = createSecretKey(Buffer.from(secret, 'utf8'))
  return {
    sign: (principal) => jwt.sign(principal, key, { algorithm: 'HS256', expiresIn: lifetimeSeconds }),
    verify(header) {
      if (header === undefined) return undefined
      try {
        const parsed = principalSchema.safeParse(jwt.verify(header, key, { algorithms: ['HS256'], clockTolerance: 5 }))
        return parsed.success ? parsed.data : undefined
      } catch {
        // Every way of being wrong is the same refusal.
        return undefined
      }
    },
  }
}
