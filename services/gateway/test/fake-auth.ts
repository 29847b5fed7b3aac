import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { accessToken, defaultSettings, type Rights, type Settings } from '@parley/contracts'
import { SignJWT } from 'jose'
import { type Backend, startBackend } from './backend.ts'

/** Auth as the gateway sees it: keys, principals and settings, over HTTP. */
export interface FakeAuth extends Backend {
  settings: Settings
  /** Session status by user id; unknown users have no session. */
  readonly users: Map<string, { active: boolean; rights: Rights }>
  /** Makes every response a 500. */
  broken: boolean
  readonly publicKey: KeyObject
  token(userId: string, changes?: TokenChanges): Promise<string>
}
export interface TokenChanges {
  readonly key?: KeyObject
  readonly alg?: string
  readonly typ?: string
  readonly issuer?: string
  readonly audience?: string
  /** Seconds from now. */
  readonly expires?: number
  readonly notBefore?: number
  /** The admin who views the product as the user. */
  readonly actor?: string
}

export const plainRights: Rights = { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true }

export async function startFakeAuth(): Promise<FakeAuth> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'ES256' }
  const backend = await startBackend()
  const auth: FakeAuth = Object.assign(backend, {
    settings: structuredClone(defaultSettings),
    users: new Map(),
    broken: false,
    publicKey,
    token: (userId: string, changes: TokenChanges = {}) => signToken(privateKey, userId, changes),
  })
  auth.answer = (request, response) => {
    response.setHeader('content-type', 'application/json')
    const answer = auth.broken ? undefined : answerOf(auth, jwk, request.url ?? '')
    response.statusCode = auth.broken ? 500 : answer === unknownUser ? 404 : 200
    response.end(JSON.stringify(answer ?? {}))
  }
  return auth
}

function answerOf(auth: FakeAuth, jwk: object, url: string): unknown {
  if (url.endsWith('/jwks.json')) return { keys: [jwk] }
  if (url === '/internal/settings') return { version: 1, settings: { ...auth.settings, registrationEnabled: true } }
  const userId = /^\/internal\/principals\/([^/]+)\//.exec(url)?.[1]
  if (userId !== undefined) return auth.users.get(userId) ?? { active: false, rights: plainRights }
  const owner = /^\/internal\/users\/([^/]+)\/rights$/.exec(url)?.[1]
  if (owner !== undefined) return auth.users.get(owner) ?? unknownUser
  return { path: url }
}

const unknownUser = { error: 'Not found', code: 'not_found', requestId: 'request' }

function signToken(key: KeyObject, userId: string, changes: TokenChanges): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const jwt = new SignJWT({ sid: 's1', ...(changes.actor && { act: { sub: changes.actor } }) })
    .setProtectedHeader({ alg: changes.alg ?? 'ES256', kid: 'k1', typ: changes.typ ?? accessToken.type })
    .setSubject(userId)
    .setIssuer(changes.issuer ?? accessToken.issuer)
    .setAudience(changes.audience ?? accessToken.audience)
    .setExpirationTime(now + (changes.expires ?? 900))
  if (changes.notBefore !== undefined) jwt.setNotBefore(now + changes.notBefore)
  return jwt.sign(changes.key ?? key)
}
