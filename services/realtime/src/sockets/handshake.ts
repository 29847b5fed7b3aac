import type { IncomingMessage } from 'node:http'
import { AppError, isAppError, unavailable } from '@parley/kit'
import type { Principals, VerifyToken } from '@parley/kit/access-token'
import type { SignedIn } from './connection.ts'

/** The transport's own query parameters. Any other is refused, because a token in a URL ends up in logs. */
const ofTransport = new Set(['EIO', 'transport', 'sid', 't', 'b64', 'j'])

/** Whether the query of a connection's request has none but the transport's parameters. */
export function carriesNothing({ url = '' }: IncomingMessage): boolean {
  const query = new URLSearchParams(url.split('?', 2)[1] ?? '')
  return [...query.keys()].every((name) => ofTransport.has(name))
}

export interface AdmitDeps {
  readonly verifyToken: VerifyToken
  readonly principals: Principals
}

/**
 * Authenticates the handshake's `auth`.
 * @throws AppError unauthenticated, token_expired, account_banned, or unavailable when auth cannot be reached
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

/** A refusal as the client's `connect_error` event: the text as its message, text and code in its `data`. */
export function refusalOf(thrown: unknown): Error & { data: { error: string; code: string } } {
  const { message, code } = isAppError(thrown) ? thrown : unavailable(thrown)
  return Object.assign(new Error(message), { data: { error: message, code } })
}
