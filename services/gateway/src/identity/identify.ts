import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { Principal, Route } from '@parley/contracts'
import { AppError, isAppError } from '@parley/kit'
import type { Principals, VerifyToken } from '@parley/kit/access-token'
import { clientAddress, networkBucket } from '../network.ts'

/** What telling who calls uses. */
export interface IdentifyDeps {
  readonly verifyToken: VerifyToken
  readonly principals: Principals
  readonly trustedProxies: BlockList
}

/**
 * Says who calls. Without a token that is a guest; on public routes a token that does not hold is as none.
 * @throws AppError unauthenticated, token_expired, or unavailable when it cannot be found out
 */
export async function identify(
  deps: IdentifyDeps,
  route: Route,
  request: IncomingMessage,
  requestId: string,
): Promise<Principal> {
  const origin = { network: networkBucket(clientAddress(request, deps.trustedProxies)), requestId }
  const token = bearerToken(request.headers.authorization)
  if (token === undefined) return { kind: 'guest', ...origin }
  try {
    return await userPrincipal(deps, request, token, origin)
  } catch (error) {
    if (route.access === 'public' && isAppError(error)) return { kind: 'guest', ...origin }
    throw error
  }
}

async function userPrincipal(
  deps: IdentifyDeps,
  request: IncomingMessage,
  token: string,
  origin: { network: string; requestId: string },
): Promise<Principal> {
  const { userId, sessionId } = await deps.verifyToken(token)
  const { active, rights } = await deps.principals.standing({ userId, sessionId })
  if (!active) throw new AppError('unauthenticated', 'Please sign in to continue.')
  const viewAs = rights.isAdmin && request.headers['x-view-as'] === 'user'
  return {
    kind: 'user',
    userId,
    sessionId,
    rights: viewAs ? { ...rights, isAdmin: false, isSuperAdmin: false } : rights,
    ...(viewAs ? { viewAs } : {}),
    ...origin,
  }
}

/** @throws AppError unauthenticated for a header that is there and carries no bearer token */
function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const match = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(header)
  if (match?.[1] === undefined) throw new AppError('unauthenticated', 'Please sign in to continue.')
  return match[1]
}
