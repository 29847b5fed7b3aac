import { generateKeyPairSync, sign } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { accessToken, defaultSettings, type KnownKey, type SettingsAnswer } from '@parley/contracts'

// Stands in for the services that verify tokens and keys and state rights for the gateway.
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const kid = 'bench'
const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: accessToken.algorithm, use: 'sig' }] }
const unlimited = { windowMinutes: 1, maxRequests: 1_000_000 }
const settings: SettingsAnswer = {
  ...defaultSettings,
  registrationEnabled: true,
  rateLimits: { web: unlimited, apiV1: unlimited },
}
const principal = {
  active: true,
  rights: { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true },
}
const knownKey: { key: KnownKey } = {
  key: { keyId: 'bench-key', userId: 'bench-user', tier: 1, customLimits: null, endsAt: null },
}
const answers: readonly (readonly [prefix: string, answer: unknown])[] = [
  ['/internal/settings', { version: 1, settings }],
  ['/internal/principals/', principal],
  ['/api/auth/.well-known/jwks.json', jwks],
  ['/internal/keys/', knownKey],
  ['/internal/users/', { rights: principal.rights }],
  ['/internal/request-counts', {}],
]

/** Answers the gateway's requests to auth and billing; false when the request is for the provider. */
export function answerServices(request: IncomingMessage, response: ServerResponse): boolean {
  const found = answers.find(([prefix]) => request.url?.startsWith(prefix))
  if (found === undefined) return false
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found[1]))
  return true
}

/** An access token like those that auth issues. */
export function issueToken(): string {
  const now = Math.floor(Date.now() / 1_000)
  const header = { alg: accessToken.algorithm, typ: accessToken.type, kid }
  const claims = { sub: 'bench-user', sid: 'bench-session', iss: accessToken.issuer, aud: accessToken.audience }
  const text = [header, { ...claims, iat: now, exp: now + accessToken.lifetimeSeconds }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
