import { openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import type { ChatSnapshot } from '@parley/contracts'
import { createMetrics, createServiceClient, newId, startService, systemClock } from '@parley/kit'
import {
  type ApiClient,
  answerJson,
  apiClient,
  startFakeOutsider,
  testDatabase,
  testIdentity,
  testLog,
} from '@parley/testing'
import { createShareService } from '../src/service.ts'
import { openShareStores } from '../src/store/index.ts'

const log = testLog

/** A chat in the fake of chat. */
export interface FakeChat extends ChatSnapshot {
  readonly ownerId: string
}

export type GivenShare = Awaited<ReturnType<typeof givenShare>>

/** Two replicas of share over one database, with fakes of chat and auth. */
export async function givenShare() {
  const database = await testDatabase()
  const identity = testIdentity()
  const hub = openMemoryHub({ log })
  const chats = new Map<string, FakeChat>()
  const banned = new Set<string>()
  /** Set to true to make a fake unavailable. */
  const away = { chat: false, auth: false }
  const told: string[] = []
  /** Called once chat has answered with a snapshot, before share stores the link. */
  const hooks = { read: (_chatId: string): void => undefined }
  const others = await startFakeOutsider(({ path, body }, response) => {
    const isOfAuth = /^\/internal\/(users|erasures|data-exports)\//.test(path)
    if (isOfAuth ? away.auth : away.chat) {
      answerJson(response, { error: 'Away', code: 'unavailable', requestId: 'r' }, 503)
      return
    }
    const [, owner] = /^\/internal\/users\/([^/]+)\/rights$/.exec(path) ?? []
    const asked = body === '' ? {} : JSON.parse(body)
    if (owner !== undefined) {
      const rights = { isAdmin: false, isSuperAdmin: false, isBanned: banned.has(owner), emailVerified: true }
      answerJson(response, { rights })
    } else if (isOfAuth) {
      told.push(path)
      response.writeHead(204).end()
    } else if (path === '/internal/chats/known') {
      answerJson(response, { ids: asked.ids.filter((id: string) => chats.get(id)?.ownerId === asked.userId) })
    } else if (path === '/internal/chats/copies') {
      const chatId = newId()
      chats.set(chatId, { ...asked, ownerId: asked.userId })
      answerJson(response, { chatId }, 201)
    } else {
      const chatId = /^\/internal\/chats\/([^/]+)\/snapshot$/.exec(path)?.[1] ?? ''
      const chat = chats.get(chatId)
      if (chat?.ownerId === asked.userId && chat !== undefined) {
        hooks.read(chatId)
        answerJson(response, chat)
      } else answerJson(response, { error: 'Chat not found.', code: 'not_found', requestId: 'r' }, 404)
    }
  })
  const startReplica = async () => {
    const stores = openShareStores({ url: database.url, log })
    const bus = await openPgBus({ url: database.url, log })
    const cache = hub.open('share')
    const client = createServiceClient({ self: 'share', locate: () => others.url, identity })
    const metrics = createMetrics('share', false)
    const passwordCost = { memory: 8, passes: 1, parallelism: 1 }
    const parts = { stores, bus, cache, client, identity, metrics, log, now: systemClock, newId, passwordCost }
    const running = await startService(createShareService(parts), { host: '127.0.0.1', port: 0 })
    const api = apiClient(running.url, identity)
    const stop = async () => {
      await running.stop(100)
      await api.close()
      for (const engine of [bus, cache, client, stores]) await engine.close()
    }
    return { api, stores, stop }
  }
  const bus = await openPgBus({ url: database.url, log })
  const signals = hub.open('test')
  const [one, two] = [await startReplica(), await startReplica()]
  return {
    api: one.api as ApiClient,
    replica: two.api as ApiClient,
    stores: one.stores,
    bus,
    signal: signals.signal,
    chats,
    banned,
    away,
    hooks,
    /** Paths of auth called with acknowledgements and contributions. */
    told,
    /** Adds a chat of this user with these texts. */
    addChat(ownerId: string, ...texts: string[]): string {
      const id = newId()
      const messages = texts.map((content, nth) => ({
        ...{ id: newId(), role: nth % 2 === 0 ? ('user' as const) : ('assistant' as const), content, images: [] },
        createdAt: new Date(Date.UTC(2026, 0, 1) + nth).toISOString(),
      }))
      chats.set(id, { ownerId, title: 'A chat', model: 'v3', modelName: 'DeepSeek v3', messages })
      return id
    },
    async stop() {
      for (const replica of [one, two]) await replica.stop()
      await Promise.all([bus.close(), signals.close(), others.close()])
      await hub.close()
      await database.drop()
    },
  }
}
