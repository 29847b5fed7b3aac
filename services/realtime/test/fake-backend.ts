import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { accessToken, type Message, type Rights } from '@parley/contracts'
import { answerJson, startTestServer } from '@parley/testing'
import { SignJWT } from 'jose'
import type { LiveChat } from '../src/rooms/chat-reader.ts'

/** An HTTP fake of the routes of auth, chat and billing that realtime calls. */
export interface FakeBackend {
  readonly url: string
  /** Session status by user id; users not listed have no session. */
  readonly users: Map<string, { active: boolean; rights: Rights }>
  /** The state of chats, by `user/chat`. */
  readonly chats: Map<string, LiveChat>
  /** By message id. */
  readonly messages: Map<string, Message>
  /** Credits by user id. */
  readonly credits: Map<string, number>
  /** Requested paths. */
  readonly asked: string[]
  /** While true every answer is 500. */
  broken: boolean
  /** Awaited between reading a chat's state and answering. */
  afterLook: () => Promise<void>
  /** Awaited between reading the status of a session and answering. */
  afterStatus: () => Promise<unknown>
  token(userId: string, expiresInSeconds?: number, claims?: object): Promise<string>
  close(): Promise<void>
}

export const plainRights: Rights = { isAdmin: false, isSuperAdmin: false, isBanned: false, emailVerified: true }

export async function startFakeBackend(): Promise<FakeBackend> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'ES256' }
  const server = await startTestServer(async (request, response) => {
    backend.asked.push(request.url ?? '')
    const answer = backend.broken ? undefined : await answerOf(backend, jwk, request)
    const code = backend.broken ? 'internal_error' : 'not_found'
    const status = answer !== undefined ? 200 : backend.broken ? 500 : 404
    answerJson(response, answer ?? { error: 'Not found', code, requestId: 'r' }, status)
  })
  const backend: FakeBackend = {
    url: server.url,
    users: new Map(),
    chats: new Map(),
    messages: new Map(),
    credits: new Map(),
    asked: [],
    broken: false,
    afterLook: async () => undefined,
    afterStatus: async () => undefined,
    token: (userId, seconds = 900, claims = {}) =>
      new SignJWT({ sid: `session-of-${userId}`, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: accessToken.type })
        .setSubject(userId)
        .setIssuer(accessToken.issuer)
        .setAudience(accessToken.audience)
        .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
        .sign(privateKey),
    close: server.close,
  }
  return backend
}

async function answerOf(backend: FakeBackend, jwk: object, request: IncomingMessage): Promise<unknown> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://backend')
  const parts = pathname.split('/').map(decodeURIComponent)
  const chat = backend.chats.get(`${searchParams.get('userId')}/${parts[3]}`)
  if (pathname.endsWith('/jwks.json')) return { keys: [jwk] }
  if (pathname.startsWith('/internal/principals/')) {
    const status = backend.users.get(parts[3] ?? '')
    await backend.afterStatus()
    return status
  }
  if (pathname === '/internal/accounts')
    return { accounts: accountsOf(backend, (await json(request)) as { userIds: string[] }) }
  if (parts[4] === 'messages') return chat && backend.messages.get(parts[5] ?? '')
  await backend.afterLook()
  return chat
}

const accountsOf = ({ credits }: FakeBackend, { userIds }: { userIds: string[] }) =>
  userIds.map((userId) => ({
    userId,
    plan: { id: 'free', name: 'Free' },
    credits: { remaining: credits.get(userId) ?? 0, monthly: 100, resetDate: '2030-01-01T00:00:00.000Z' },
  }))
