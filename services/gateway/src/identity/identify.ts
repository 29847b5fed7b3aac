import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { KnownKey, Principal, Rights, Route, UserPrincipal } from '@parley/contracts'
import { AppError, isAppError } from '@parley/kit'
import type { Principals, SessionStatus, VerifyToken } from '@parley/kit/access-token'
import { clientAddress, networkBucket } from '../network.ts'
import type { KnownKeys } from './known-keys.ts'

export interface IdentifyDeps {
  readonly verifyToken: VerifyToken
  readonly principals: Principals
  readonly keys: KnownKeys
  readonly trustedProxies: BlockList
}

/** The caller, and whether a long response to them may continue. */
export interface Caller {
  readonly principal: Principal
  /** Checks again. @throws AppError unavailable when that is not possible */
  readonly mayContinue?: (route: Route) => Promise<Continuation>
  /** When the API key expires. */
  readonly endsAt?: string | null
}

/** Whether a long response may continue, and until when: `endsAt` is the present expiry of the API key. */
export type Continuation = false | { readonly endsAt: string | null }

/**
 * Identifies the caller. Without a token that is a guest; on public routes an invalid token counts as none. API keys are valid for `/api/v1` only, and
 * are the only credentials there. @throws AppError unauthenticated, token_expired, or unavailable when the caller cannot be checked
 */
export type Identify = (route: Route, request: IncomingMessage) => Promise<Caller>

/** Caches the latest principal of each key. */
export function createIdentify(deps: IdentifyDeps): Identify {
  const findCaller = createKeyCallers(deps)
  return async (route, request) => {
    const network = networkBucket(clientAddress(request, deps.trustedProxies))
    return route.access === 'key'
      ? await findCaller(secretOf(request), network)
      : await identifyPerson(deps, route, request, network)
  }
}

async function identifyPerson(
  deps: IdentifyDeps,
  route: Route,
  request: IncomingMessage,
  network: string,
): Promise<Caller> {
  const token = bearerToken(route, request.headers.authorization)
  if (token === undefined) return { principal: { kind: 'guest', network } }
  if (token.startsWith('sk-')) throw new AppError('unauthenticated', 'API keys are for /api/v1 only')
  try {
    const principal = await userPrincipal(deps, request, token, network)
    // A view is a single read, which needs no further check.
    if (principal.viewedBy !== undefined) return { principal }
    return {
      principal,
      mayContinue: async (open) => isGoodFor(open, await deps.principals.sessionStatus(principal)) && { endsAt: null },
    }
  } catch (error) {
    if (route.access === 'public' && isAppError(error)) return { principal: { kind: 'guest', network } }
    throw error
  }
}

/** Anthropic's clients send the key in a header of their own. @throws AppError unauthenticated without a key, and for two different ones */
function secretOf({ headers }: IncomingMessage): string {
  const own = headers['x-api-key']
  const token = headers.authorization === undefined ? own : bearerOf(headers.authorization)
  if (typeof token !== 'string') {
    // The key must not contain a space or quote, such as from copying.
    if (/^Bearer +\S/i.test(headers.authorization ?? '')) throw incorrectKey()
    throw wrongKey('You did not provide an API key. Send it as `Authorization: Bearer sk-…`.')
  }
  if (own === undefined || own === token) return token
  throw wrongKey('`Authorization` and `x-api-key` name different API keys. Send one of them.')
}

const isGoodFor = ({ bannedAllowed = false }: Route, { active, rights }: SessionStatus): boolean =>
  active && (bannedAllowed || !rights.isBanned)

/** A key and its owner's rights. */
interface RatedKey {
  readonly key: KnownKey
  readonly rights: Rights
}

/** Identifies callers by key. A cached key stays the same object until it is fetched again, so its principal is reused as well. */
function createKeyCallers(deps: IdentifyDeps): (secret: string, network: string) => Promise<Caller> {
  const made = new WeakMap<KnownKey, { readonly rights: Rights; readonly network: string; readonly caller: Caller }>()
  return async (secret, network) => {
    const known = peekKey(deps, secret) ?? (await keyOf(deps, secret))
    if (known === undefined) throw incorrectKey()
    const { key, rights } = known
    const last = made.get(key)
    if (last?.rights === rights && last.network === network) return last.caller
    const caller = keyCaller(deps, known, secret, network)
    made.set(key, { rights, network, caller })
    return caller
  }
}

function keyCaller(deps: IdentifyDeps, { key, rights }: RatedKey, secret: string, network: string): Caller {
  const { keyId, userId, tier, customLimits, endsAt } = key
  return {
    principal: { kind: 'key', keyId, userId, tier, customLimits, rights, network },
    mayContinue: async () => {
      const known = await keyOf(deps, secret)
      return known?.rights.isBanned === false && { endsAt: known.key.endsAt }
    },
    endsAt,
  }
}

function peekKey({ keys, principals }: IdentifyDeps, secret: string): RatedKey | undefined {
  const key = keys.peek(secret)
  const rights = key && principals.peekRights(key.userId)
  return key && rights && { key, rights }
}

async function keyOf({ keys, principals }: IdentifyDeps, secret: string): Promise<RatedKey | undefined> {
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

/** The user as whom an admin views the product, while the admin still is one and has a live session. */
async function viewedUser(
  { principals }: IdentifyDeps,
  viewed: Pick<UserPrincipal, 'userId' | 'sessionId' | 'network'> & { readonly viewedBy: string },
): Promise<UserPrincipal> {
  const [admin, rights] = await Promise.all([
    principals.sessionStatus({ userId: viewed.viewedBy, sessionId: viewed.sessionId }),
    principals.rights(viewed.userId),
  ])
  const mayView = admin.active && admin.rights.isAdmin && !admin.rights.isBanned
  // Users who became admins meanwhile may only be viewed by the super admin.
  if (!mayView || rights === undefined || (rights.isAdmin && !admin.rights.isSuperAdmin))
    throw new AppError('unauthenticated', 'Please sign in to continue.')
  return { ...viewed, kind: 'user', rights: { ...rights, isAdmin: false, isSuperAdmin: false } }
}

const bearerOf = (header: string): string | undefined => /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(header)?.[1]

/** @throws AppError unauthenticated for a header without a bearer token, except on public routes, where it counts as none */
function bearerToken({ access }: Route, header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const token = bearerOf(header)
  if (token === undefined && access !== 'public') throw new AppError('unauthenticated', 'Please sign in to continue.')
  return token
}
