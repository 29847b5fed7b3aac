import type { IncomingMessage } from 'node:http'
import { AppError, isAppError, unavailable } from '@parley/kit'
import type { Principals, VerifyToken } from '@parley/kit/access-token'
import type { SignedIn } from './connection.ts'

/** What the transport itself puts into the query; whatever else is there was put there by somebody, such as a token. */
const ofTransport = new Set(['EIO', 'transport', 'sid', 't', 'b64', 'j'])

/** Whether a request that begins or goes on with a connection carries nothing in its address. */
export function carriesNothing({ url = '' }: IncomingMessage): boolean {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '')
  return [...query.keys()].every((name) => ofTransport.has(name))
}

export interface AdmitDeps {
  readonly verifyToken: VerifyToken
  readonly principals: Principals
}

/**
 * Says who signs in with the handshake's `auth`.
 * @throws AppError unauthenticated, token_expired, account_banned, or unavailable when that cannot be found out
 */
export async function admit(deps: AdmitDeps, auth: unknown): Promise<SignedIn> {
  const { token } = (auth ?? {}) as { token?: unknown }
  if (typeof token !== 'string') throw new AppError('unauthenticated', 'Please sign in to continue.')
  const { userId, sessionId, refusedFrom } = await deps.verifyToken(token)
  const { active, rights } = await deps.principals.sessionStatus({ userId, sessionId })
  if (!active) throw new AppError('unauthenticated', 'Please sign in to continue.')
  if (rights.isBanned) {
    throw new AppError('account_banned', 'Your account has been banned. Please contact support for assistance.')
  }
  return { userId, sessionId, refusedFrom, isAdmin: rights.isAdmin }
}

/** A refusal as a client gets it with `connect_error`: the text as its message, text and code in its `data`. */
export function refusalOf(thrown: unknown): Error & { data: { error: string; code: string } } {
  const { message, code } = isAppError(thrown) ? thrown : unavailable(thrown)
  return Object.assign(new Error(message), { data: { error: message, code } })
}
