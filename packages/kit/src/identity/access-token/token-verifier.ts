import { hash } from 'node:crypto'
import { accessToken, authRoutes } from '@parley/contracts'
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose'
import { createFresh } from '../../async/fresh.ts'
import type { ServiceClient } from '../../calls/service-client.ts'
import { AppError, isAppError, unavailable } from '../../errors/app-error.ts'

/** The user that a token names. Their rights are not in it. */
export interface TokenSubject {
  readonly userId: string
  readonly sessionId: string
}

export interface VerifiedToken extends TokenSubject {
  /** The admin who sees the product as this user, and whose session it is. */
  readonly viewedBy?: string
  /** The token is refused from then on. */
  readonly refusedFrom: Date
}

/** @throws AppError token_expired, unauthenticated, or unavailable when auth's keys cannot be had */
export type VerifyToken = (token: string) => Promise<VerifiedToken>

/** Seconds by which clocks may differ. */
const leewaySeconds = 30
const longest = 8 * 1024
/** Tokens that were found good, and milliseconds for which that need not be found out again. */
const remembered = { max: 10_000, maxAgeMs: 30_000 }

/**
 * Verifies access tokens against auth's public keys, which are kept and asked for again when an unknown one is named. That a token holds is remembered for
 * 30 s by the hash of all of it: a signature is checked on a thread, for which a crowd of calls would wait. When it ends is looked at each time.
 * @param viewing whether to accept tokens by which an admin views the product as a user; refused by default
 */
export function createTokenVerifier(client: ServiceClient, { viewing = false } = {}): VerifyToken {
  // The address is looked up per call by the client, so the one given here is only a name.
  const keys = createRemoteJWKSet(new URL('http://auth/jwks'), {
    cooldownDuration: 5_000,
    [customFetch]: async () => Response.json(await client.call(authRoutes.jwks)),
  })
  const verify = async (token: string): Promise<VerifiedToken> => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [accessToken.algorithm],
        typ: accessToken.type,
        issuer: accessToken.issuer,
        audience: accessToken.audience,
        clockTolerance: leewaySeconds,
        requiredClaims: ['sub', 'sid', 'exp'],
      })
      const refusedFrom = new Date((Number(payload.exp) + leewaySeconds) * 1000)
      const verified = { userId: String(payload.sub), sessionId: String(payload.sid), refusedFrom }
      if (payload.act === undefined) return verified
      if (!viewing) throw refused()
      return { ...verified, viewedBy: String((payload.act as { sub?: unknown }).sub) }
    } catch (error) {
      throw toRefusal(error)
    }
  }
  const good = createFresh<VerifiedToken>(remembered)
  return async (token) => {
    if (token.length > longest || !hasCanonicalSignature(token)) throw refused()
    const verified = await good.get(hash('sha256', token, 'base64'), () => verify(token))
    if (verified.refusedFrom.getTime() <= Date.now()) throw expired()
    return verified
  }
}

/** The last character of a signature has bits that decoding ignores. A token that was tampered with there is refused, too. */
function hasCanonicalSignature(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

const refused = (): AppError => new AppError('unauthenticated', 'Please sign in to continue.')
const expired = (): AppError => new AppError('token_expired', 'Your session has expired. Please sign in again.')

function toRefusal(error: unknown): AppError {
  if (isAppError(error)) return error
  if (error instanceof errors.JWTExpired) return expired()
  if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)) return refused()
  return unavailable(error)
}
