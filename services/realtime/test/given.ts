import { type CacheEngine, openMemoryHub } from '@parley/cache'
import type { Message } from '@parley/contracts'
import {
  type Clock,
  createMetrics,
  createServiceClient,
  type RunningService,
  startService,
  systemClock,
} from '@parley/kit'
import { testIdentity, testLog } from '@parley/testing'
import { connectSocket, type SocketClient, type SocketClientOptions } from '@parley/testing/socket-client'
import type { SocketLimits } from '../src/limits.ts'
import { createRealtimeService } from '../src/service.ts'
import { type FakeBackend, plainRights, startFakeBackend } from './fake-backend.ts'

export const publicUrl = 'http://parley.test'
/** Signs the gateway's statements of identity. */
export const identity = testIdentity()

/** A running realtime, its fake dependencies and its clients. */
export interface Given {
  readonly url: string
  readonly running: RunningService
  readonly backend: FakeBackend
  /** The cache as another service uses it. */
  readonly cache: CacheEngine
  /** Hints that these users' credits changed. */
  creditsChanged(...userIds: readonly string[]): Promise<void>
  /** A token of a user who may connect. */
  user(userId: string): Promise<string>
  connect(userId: string, options?: SocketClientOptions): Promise<SocketClient>
  /** A user's chat, with a running answer if one is given. */
  chat(
    userId: string,
    chatId: string,
    generating?: { messageId: string; generationId?: string; lastEventId: number; content: string },
  ): void
  close(): Promise<void>
}

/** Resources shared by replicas; the caller that opened them closes them. */
export interface Shared {
  readonly backend: FakeBackend
  readonly cache: CacheEngine
}

export async function givenRealtime(
  limits: Partial<SocketLimits> = {},
  shared?: Shared,
  now: Clock = systemClock,
): Promise<Given> {
  const log = testLog
  const hub = openMemoryHub({ log })
  const backend = shared?.backend ?? (await startFakeBackend())
  const client = createServiceClient({ self: 'realtime', locate: () => backend.url, identity })
  const service = createRealtimeService({
    publicUrl,
    // The origin of the test clients.
    extraOrigins: ['http://127.0.0.1'],
    cache: shared?.cache ?? hub.open('realtime'),
    client,
    identity,
    metrics: createMetrics('realtime', false),
    log,
    now,
    limits: { lookMs: 100, drainMs: 200, ...limits },
  })
  const running = await startService(service, { host: '127.0.0.1', port: 0 })
  const clients: SocketClient[] = []
  const ofOthers = shared?.cache ?? hub.open('chat')
  const user = (userId: string): Promise<string> => {
    if (!backend.users.has(userId)) backend.users.set(userId, { active: true, rights: plainRights })
    return backend.token(userId)
  }
  return {
    url: running.url,
    running,
    backend,
    cache: ofOthers,
    user,
    creditsChanged: (...userIds) => ofOthers.signal.publish('credits-changed', { userIds: [...userIds] }),
    async connect(userId, options) {
      const connected = await connectSocket(running.url, await user(userId), options)
      clients.push(connected)
      return connected
    },
    chat(userId, chatId, generating) {
      const lastMessageId = generating?.messageId ?? null
      const going = generating && { generating: { reasoning: '', ...generating } }
      backend.chats.set(`${userId}/${chatId}`, { lastMessageId, ...going })
    },
    async close() {
      for (const connected of clients) connected.close()
      await running.stop(2_000)
      await Promise.all([client.close(), hub.close(), shared ?? backend.close()])
    },
  }
}

/** A message as chat answers it. */
export const message = (id: string, changes: Partial<Message> = {}): Message => ({
  id,
  role: 'assistant',
  content: '',
  model: 'v3',
  status: 'complete',
  parentId: null,
  createdAt: '2030-01-01T00:00:00.000Z',
  ...changes,
})

/** An entry of an answer's log. */
export const entry = (seq: number, event: object | '[DONE]') => ({
  seq,
  data: typeof event === 'string' ? event : JSON.stringify(event),
})

/** Log entries with these numbers as their texts. */
export const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_none, index) => entry(from + index, { text: `${from + index} ` }))

/** The event numbers that a client received of an answer, and its text. */
export const followed = (client: SocketClient, messageId: string) => {
  const deltas = client.all('stream:delta').filter((delta) => delta.messageId === messageId)
  return { seqs: deltas.map(({ seq }) => seq), text: deltas.map(({ text }) => text ?? '').join('') }
}
