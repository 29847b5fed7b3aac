import { type EventBus, openPgBus } from '@parley/bus'
import { type CacheEngine, type MemoryHub, openMemoryHub, type StreamLog } from '@parley/cache'
import { chatRoutes, type Event, type SendBody, type ServiceName } from '@parley/contracts'
import {
  type Clock,
  createMetrics,
  createServiceClient,
  type IdentityCodec,
  newId,
  newIdentityVariables,
  type RunningService,
  startService,
  systemClock,
} from '@parley/kit'
import { createEndpointGuard, createPageFetcher, resolveBySystem } from '@parley/kit/egress'
import {
  type ApiCaller,
  type ApiClient,
  apiClient,
  collect,
  type OpenAnswer,
  readEvents,
  testDatabase,
  testIdentity,
  testLog,
} from '@parley/testing'
import type { ChatServiceConfig } from '../src/config.ts'
import type { PromptBounds } from '../src/files/prompt-memory.ts'
import type { ChatTiming } from '../src/generation/timing.ts'
import { createChatService } from '../src/service.ts'
import type { ChatStores } from '../src/store/index.ts'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import { startFakeRouter } from './fake-router.ts'
import { startFakeAuth, startFakeBilling, startFakeMemory } from './fake-services.ts'
import { openFragileLog } from './fragile-log.ts'

export const config: ChatServiceConfig = { CHAT_SECRETS: ['a secret of at least thirty-two characters'] }
/** Of chat and its callers; processes that are started by a test have the same. */
export const identityVariables = newIdentityVariables()
export const identity = testIdentity(identityVariables)
const log = testLog

/** One replica of chat and how to call it. */
export interface Replica {
  readonly api: ApiClient
  readonly stores: ChatStores
  readonly running: RunningService
  /** As a replica is that was told to go and still listens, until whoever spreads the load has noticed. */
  drain(): void
  /** Drains, waits for its streams up to `graceMs` (100 by default), then ends. */
  stop(graceMs?: number): Promise<void>
}

export interface ReplicaOptions {
  /** What it has beside its secret, such as tools. */
  readonly config?: Partial<ChatServiceConfig>
  readonly timing?: Partial<ChatTiming>
  readonly now?: Clock
  readonly promptBounds?: Partial<PromptBounds>
  /** Stands between the service and its stores or cache, to play a fault. */
  readonly stores?: (stores: ChatStores) => ChatStores
  readonly cache?: (cache: CacheEngine) => CacheEngine
}

/** Short times, so that faults are seen soon. */
const timing: Partial<ChatTiming> = { checkpointMs: 50, sweepMs: 100, reconcileMs: 500, pollMs: 20, coalesceMs: 5 }

export type GivenChat = Awaited<ReturnType<typeof givenChat>>

/** A database, a bus, a hub and the third parties; `replica()` starts chat on them as often as it is called. */
export async function givenChat() {
  const database = await testDatabase()
  const starting = [startFakeRouter(), startFakeBilling(), startFakeAuth(), startFakeMemory()] as const
  const [router, billing, auth, memory] = await Promise.all(starting)
  const hub: MemoryHub = openMemoryHub({ log })
  const logs = openFragileLog(log)
  const replicas: Replica[] = []
  const urls: Partial<Record<ServiceName, string>> = {
    ...{ 'llm-router': router.url, billing: billing.url, auth: auth.url, memory: memory.url },
  }
  const observer = await openPgBus({ url: database.url, log })
  const signals = hub.open('test')
  const events: Event[] = []
  await observer.subscribe({
    group: 'test',
    handlers: { 'chat.generation-finished': async (event) => void events.push(event) },
  })
  const replica = async (options: ReplicaOptions = {}): Promise<Replica> => {
    const started = await startReplica({ url: database.url, hub, streamLog: logs.streamLog, urls, options, identity })
    replicas.push(started)
    return started
  }
  return {
    router,
    billing,
    auth,
    memory,
    /** The engine of the stream logs, which all replicas share. */
    logs,
    url: database.url,
    /** Events that chat published. */
    events,
    bus: observer as EventBus,
    signal: signals.signal,
    replica,
    async stop() {
      for (const each of replicas) await each.stop()
      // Not with its replica: a test may still be reading what the replica sent last.
      for (const { api } of replicas) await api.close()
      await observer.close()
      await signals.close()
      await hub.close()
      await logs.close()
      for (const fake of [router, billing, auth, memory]) await fake.close()
      await database.drop()
    },
  }
}

/** What a replica is started with. */
export interface ReplicaParts {
  readonly url: string
  readonly hub: MemoryHub
  readonly streamLog: StreamLog
  readonly urls: Partial<Record<ServiceName, string>>
  readonly options: ReplicaOptions
  /** Of the caller, where that is another process. */
  readonly identity: IdentityCodec
}

/** Starts one. */
export async function startReplica({ url, hub, streamLog, urls, options, identity }: ReplicaParts): Promise<Replica> {
  const stores = openPgChatStores({ url, log })
  const bus = await openPgBus({ url, log })
  const cache = { ...hub.open('chat'), streamLog }
  const client = createServiceClient({ self: 'chat', locate: (service) => urls[service] ?? '', identity })
  const pages = createPageFetcher(createEndpointGuard(['127.0.0.1'], resolveBySystem))
  const service = createChatService({
    config: { ...config, ...options.config },
    stores: options.stores?.(stores) ?? stores,
    bus,
    cache: options.cache?.(cache) ?? cache,
    client,
    pages,
    identity,
    metrics: createMetrics('chat', false),
    log,
    now: options.now ?? systemClock,
    newId,
    timing: { ...timing, ...options.timing },
    ...(options.promptBounds && { promptBounds: options.promptBounds }),
  })
  const running = await startService(service, { host: '127.0.0.1', port: 0 })
  const api = apiClient(running.url, identity)
  let stopping: Promise<void> | undefined
  const stop = async (graceMs: number): Promise<void> => {
    await running.stop(graceMs)
    for (const engine of [bus, cache, client, pages, stores]) await engine.close()
  }
  return {
    api,
    stores,
    running,
    drain: () => service.drain(),
    stop: (graceMs = 100) => {
      stopping ??= stop(graceMs)
      return stopping
    },
  }
}

/** The events of an answer, parsed. */
export interface Answer {
  readonly status: number
  readonly headers: OpenAnswer['headers']
  readonly ids: readonly number[]
  /** The `data` of each event. */
  readonly data: readonly string[]
  readonly text: string
  readonly start: {
    chatId: string
    messageId: string
    userMessageId: string
    model: string
    event?: string
    title?: string
  }
  /** The last event before `[DONE]`. */
  readonly last: Record<string, unknown>
}

/** Reads an answer's stream to its end. */
export async function readAnswer(answer: OpenAnswer): Promise<Answer> {
  const events = await collect(readEvents(answer))
  const data = events.map((event) => event.data)
  const parsed = data.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  return {
    status: answer.status,
    headers: answer.headers,
    ids: events.map(({ id }) => Number(id)),
    data,
    text: parsed.map((event) => event.text ?? '').join(''),
    start: parsed[0],
    last: parsed.at(-1),
  }
}

export const message = (text: string, more: Partial<SendBody> = {}): SendBody => ({
  message: text,
  model: 'v3',
  ...more,
})

/** Sends and reads the whole answer. */
export const send = async (caller: ApiCaller, body: SendBody, headers: Record<string, string> = {}): Promise<Answer> =>
  await readAnswer(await caller.stream(chatRoutes.send, { body, headers }))

/** Resumes an answer's stream and reads the rest. */
export const resume = async (caller: ApiCaller, id: string, lastEventId?: number): Promise<Answer> =>
  await readAnswer(
    await caller.stream(chatRoutes.resume, {
      params: { id },
      headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) },
    }),
  )

/** A chat with its latest messages, or those that `query` asks for. */
export const readChat = async (caller: ApiCaller, id: string, query: Record<string, string | number> = {}) =>
  (await caller.call(chatRoutes.get, { params: { id }, query })).body
