import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { KnownKey, Principal, Rights, Route, UserPrincipal } from '@parley/contracts'
import { AppError, isAppError } from '@parley/kit'
import type { Principals, SessionStatus, VerifyToken } from '@parley/kit/access-token'
import { clientAddress, networkBucket } from '../network.ts'
import type { KnownKeys } from './known-keys.ts'

/** What telling who calls uses. */
export interface IdentifyDeps {
  readonly verifyToken: VerifyToken
  readonly principals: Principals
  readonly keys: KnownKeys
  readonly trustedProxies: BlockList
}

/** Who calls, and whether an answer that takes long may go on. */
export interface Caller {
  readonly principal: Principal
  /** Asks anew. @throws AppError unavailable when that cannot be found out */
  readonly mayContinue?: (route: Route) => Promise<boolean>
  /** When the API key ends. */
  readonly endsAt?: string | null
}

/**
 * Says who calls. Without a token that is a guest; on public routes a token that does not hold is as none. API keys are for `/api/v1`, and nothing else is.
 * @throws AppError unauthenticated, token_expired, or unavailable when it cannot be found out
 */
export async function identify(deps: IdentifyDeps, route: Route, request: IncomingMessage): Promise<Caller> {
  const network = networkBucket(clientAddress(request, deps.trustedProxies))
  if (route.access === 'key') return await keyPrincipal(deps, secretOf(request), network)
  const token = bearerToken(request.headers.authorization)
  if (token === undefined) return { principal: { kind: 'guest', network } }
  if (token.startsWith('sk-')) throw new AppError('unauthenticated', 'API keys are for /api/v1 only')
  try {
    const principal = await userPrincipal(deps, request, token, network)
    // What may be viewed is answered at once.
    if (principal.viewedBy !== undefined) return { principal }
    return { principal, mayContinue: async (open) => isGoodFor(open, await deps.principals.sessionStatus(principal)) }
  } catch (error) {
    if (route.access === 'public' && isAppError(error)) return { principal: { kind: 'guest', network } }
    throw error
  }
}

/** Anthropic's clients name the key in a header of their own. @throws AppError unauthenticated for none, and for two different ones */
function secretOf({ headers }: IncomingMessage): string {
  const own = headers['x-api-key']
  const token = headers.authorization === undefined ? own : bearerOf(headers.authorization)
  if (typeof token !== 'string') {
    // A space or a quote that was copied along is in no key.
    if (/^Bearer +\S/i.test(headers.authorization ?? '')) throw incorrectKey()
    throw wrongKey('You did not provide an API key. Send it as `Authorization: Bearer sk-…`.')
  }
  if (own === undefined || own === token) return token
  throw wrongKey('`Authorization` and `x-api-key` name different API keys. Send one of them.')
}

const isGoodFor = ({ bannedAllowed = false }: Route, { active, rights }: SessionStatus): boolean =>
  active && (bannedAllowed || !rights.isBanned)

async function keyPrincipal(deps: IdentifyDeps, secret: string, network: string): Promise<Caller> {
  const known = await keyOf(deps, secret)
  if (known === undefined) throw incorrectKey()
  const { keyId, userId, tier, customLimits, endsAt } = known.key
  return {
    principal: { kind: 'key', keyId, userId, tier, customLimits, rights: known.rights, network },
    mayContinue: async () => (await keyOf(deps, secret))?.rights.isBanned === false,
    endsAt,
  }
}

async function keyOf(
  { keys, principals }: IdentifyDeps,
  secret: string,
): Promise<{ key: KnownKey; rights: Rights } | undefined> {
  const key = await keys.find(secret)
  const rights = key && (await principals.rights(key.userId))
  return key && rights && { key, rights }
}

const wrongKey = (message: string): AppError => new AppError('unauthenticated', message)
const incorrectKey = (): AppError => wrongKey('Incorrect API key provided.')

async function userPrincipal(
  deps: IdentifyDeps,
  request: IncomingMessage,
  token: string,
  network: string,
): Promise<UserPrincipal> {
  const { userId, sessionId, viewedBy } = await deps.verifyToken(token)
  if (viewedBy !== undefined) return await viewedUser(deps, { userId, sessionId, viewedBy, network })
  const { active, rights } = await deps.principals.sessionStatus({ userId, sessionId })
  if (!active) throw new AppError('unauthenticated', 'Please sign in to continue.')
  const viewAs = rights.isAdmin && request.headers['x-view-as'] === 'user'
  return {
    kind: 'user',
    userId,
    sessionId,
    rights: viewAs ? { ...rights, isAdmin: false, isSuperAdmin: false } : rights,
    ...(viewAs ? { viewAs } : {}),
    network,
  }
}

/** A user as whom an admin sees the product, as long as the admin is one, in a session that is alive. */
async function viewedUser(
  { principals }: IdentifyDeps,
  viewed: Pick<UserPrincipal, 'userId' | 'sessionId' | 'network'> & { readonly viewedBy: string },
): Promise<UserPrincipal> {
  const [admin, rights] = await Promise.all([
    principals.sessionStatus({ userId: viewed.viewedBy, sessionId: viewed.sessionId }),
    principals.rights(viewed.userId),
  ])
  const mayView = admin.active && admin.rights.isAdmin && !admin.rights.isBanned
  // Whoever became an admin since is seen by the super admin alone.
  if (!mayView || rights === undefined || (rights.isAdmin && !admin.rights.isSuperAdmin))
    throw new AppError('unauthenticated', 'Please sign in to continue.')
  return { ...viewed, kind: 'user', rights: { ...rights, isAdmin: false, isSuperAdmin: false } }
}

const bearerOf = (header: string): string | undefined => /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1]

/** @throws AppError unauthenticated for a header that is there and carries no bearer token */
function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const token = bearerOf(header)
  if (token === undefined) throw new AppError('unauthenticated', 'Please sign in to continue.')
  return token
}
