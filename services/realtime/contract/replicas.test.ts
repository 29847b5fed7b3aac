import type { CacheEngine } from '@parley/cache'
import { openRedisEngine } from '@parley/cache/redis'
import { createLogger, newId } from '@parley/kit'
import { type FaultProxy, startFaultProxy } from '@parley/testing'
import type { SocketClient } from '@parley/testing/socket-client'
import { engineUrl, onEngine, testKeyPrefix } from '@parley/testing/test-engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeBackend, plainRights, startFakeBackend } from '../test/fake-backend.ts'
import { type Given, givenRealtime, message } from '../test/given.ts'

onEngine('redis', () => describe('two replicas on Redis', replicas))

/** A replica with its own proxy to Redis. */
interface Replica {
  readonly given: Given
  readonly proxy: FaultProxy
  readonly cache: CacheEngine
}

const log = createLogger('test', 'silent')
const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
const done = (messageId: string) => ({
  ...{ done: true, messageId, finishReason: 'stop', usage },
  credits: { charged: 1, remaining: 1 },
})

const isThere = (health: Promise<unknown>): Promise<true | undefined> =>
  health.then(
    () => true,
    () => undefined,
  )

async function openReplica(backend: FakeBackend, prefix: string): Promise<Replica> {
  const url = new URL(engineUrl('redis') ?? '')
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  const through = proxy.through(url.href)
  const cache = openRedisEngine({ url: through, prefix, scope: 'realtime', log, budgetMs: 5_000 })
  // A new subscriber may have missed control signals: wait for that notice before any client connects.
  const found = new Promise<void>((resolve) => cache.signal.onMissed(resolve))
  await found
  // The first notice means that the subscription to hints works; it also makes rooms resend their state, so it must precede the clients.
  const listening = new Promise<void>((resolve) => cache.signal.onHintsMissed(resolve))
  const given = await givenRealtime({}, { backend, cache })
  await listening
  return { given, proxy, cache }
}

function replicas(): void {
  let backend: FakeBackend
  let both: Replica[]
  let chats = 0
  beforeAll(async () => {
    backend = await startFakeBackend()
    const prefix = testKeyPrefix()
    both = [await openReplica(backend, prefix), await openReplica(backend, prefix)]
  })
  afterAll(async () => {
    for (const { given, cache, proxy } of both) {
      await given.close()
      await cache.close()
      await proxy.close()
    }
    await backend.close()
  })
  const at = (nth: number): Replica => both[nth] as Replica
  /** One connection of the user on each replica, both in the same chat. */
  const inChat = async (userId: string): Promise<{ chatId: string; clients: SocketClient[] }> => {
    chats += 1
    const chatId = `c${chats}`
    at(0).given.chat(userId, chatId)
    const clients = await Promise.all(both.map(({ given }) => given.connect(userId)))
    for (const client of clients) {
      client.say('join', { chatId })
      await client.until('chat:init')
    }
    return { chatId, clients }
  }
  /** An answer of three events, generated and stored as chat does it; it continues once the `hearing` clients know that it began. */
  const answer = async (
    { userId, chatId, messageId }: { userId: string; chatId: string; messageId: string },
    hearing: readonly SocketClient[],
  ): Promise<void> => {
    const { signal, streamLog } = at(0).cache
    const change = { userId, chatId, messageId }
    at(0).given.chat(userId, chatId, { messageId, content: '', lastEventId: 0 })
    backend.messages.set(messageId, message(messageId, { status: 'generating' }))
    await signal.publish('chat-changed', { ...change, kind: 'generation' })
    for (const client of hearing) await client.until('msg:append', (told) => told.message.id === messageId)
    const lines = [{ text: 'one ' }, { text: 'two' }, done(messageId)].map((event) => JSON.stringify(event))
    for (const [index, data] of [...lines, '[DONE]'].entries()) {
      await streamLog.append(messageId, [{ seq: index + 1, data }])
    }
    backend.messages.set(messageId, message(messageId, { content: 'one two' }))
    at(0).given.chat(userId, chatId)
    await signal.publish('chat-changed', { ...change, kind: 'message' })
  }
  const creditsReach = async (clients: readonly SocketClient[], userId: string, remaining: number): Promise<void> => {
    backend.credits.set(userId, remaining)
    await at(0).given.creditsChanged(userId)
    await expect.poll(() => areTold(clients, remaining)).toBe(true)
  }
  const areTold = (clients: readonly SocketClient[], remaining: number): boolean =>
    clients.every((client) => client.all('user:update').some(({ credits }) => credits?.remaining === remaining))

  it('send the same events to the connections of a user on both, each once', async () => {
    const { chatId, clients } = await inChat('ann')
    await answer({ userId: 'ann', chatId, messageId: newId() }, clients)
    for (const client of clients) {
      await client.until('msg:append', (told) => told.message.status === 'complete')
      // The end of the chat ends its streams.
      await client.until('stream:done')
    }
    const { signal } = at(1).cache
    await signal.publish('chat-changed', { userId: 'ann', chatId, kind: 'updated', title: 'New' })
    await signal.publish('models-changed', {})
    await signal.publish('chat-changed', { userId: 'ann', chatId, kind: 'deleted' })
    for (const client of clients) {
      await client.until('chat:delete')
      expect(client.all('stream:delta').map(({ seq, text }) => [seq, text])).toEqual([
        [1, 'one '],
        [2, 'two'],
      ])
      expect(client.all('msg:append').map((told) => [told.message.status, told.message.content])).toEqual([
        ['generating', ''],
        ['complete', 'one two'],
      ])
      for (const event of ['stream:done', 'chat:update', 'models:update', 'chat:delete', 'chat:init'] as const) {
        expect([event, client.all(event).length]).toEqual([event, 1])
      }
    }
  })

  it('send the remaining credits to the connections of a user on both, each once', async () => {
    const { clients } = await inChat('bob')
    await creditsReach(clients, 'bob', 7)
    for (const client of clients) {
      expect(client.all('user:update').filter(({ credits }) => credits?.remaining === 7)).toHaveLength(1)
    }
  })

  it('close the connections of a banned user, and no others', async () => {
    const userId = newId()
    const [{ clients }, { clients: others }] = [await inChat(userId), await inChat('carl')]
    backend.users.set(userId, { active: true, rights: { ...plainRights, isBanned: true } })
    await at(1).cache.signal.publish('principal-changed', { userId })
    for (const client of clients) {
      expect(await client.until('goodbye')).toEqual({ code: 'account_banned' })
      expect(client.all('user:update').filter(({ isBanned }) => isBanned)).toHaveLength(1)
    }
    for (const client of others) expect(client.socket.connected).toBe(true)
  })

  it('resend the state to every client that may have missed an event while one replica could not reach Redis', async () => {
    const { chatId, clients } = await inChat('dora')
    const [, behind] = clients
    if (behind === undefined) throw new Error('Nobody is on the second replica')
    const { proxy } = at(1)
    const before = proxy.observed
    proxy.fault({ kind: 'refuse' })
    proxy.cutNow()
    // The second replica loses all of this: an answer, credits, and more signals than their history holds.
    const [lost, next] = [newId(), newId()]
    await answer({ userId: 'dora', chatId, messageId: lost }, clients.slice(0, 1))
    backend.chats.set(`dora/${chatId}`, { lastMessageId: lost })
    backend.credits.set('dora', 9)
    const { signal } = at(0).cache
    for (let count = 0; count < 1_100; count += 1) await signal.publish('settings-changed', { version: count })
    await expect.poll(() => proxy.observed).toBeGreaterThan(before + 4)
    expect(behind.all('stream:delta')).toEqual([])
    expect(clients.map(({ socket }) => socket.connected)).toEqual([true, true])
    proxy.fault({ kind: 'none' })
    await behind.until('chat:init', ({ lastMessageId }) => lastMessageId === lost)
    await behind.until('user:update', ({ credits }) => credits?.remaining === 9)
    // The notice of the loss triggers one update, every signal that the history still holds another.
    await expect.poll(() => behind.all('models:update').length).toBeGreaterThan(1_000)
    // Back to normal, once the connection that reads logs has recovered, too.
    await expect.poll(() => isThere(at(1).cache.health())).toBe(true)
    await answer({ userId: 'dora', chatId, messageId: next }, clients)
    await behind.until('stream:done', ({ messageId }) => messageId === next)
    const told = behind.all('stream:delta').filter(({ messageId }) => messageId === next)
    expect(told.map(({ seq }) => seq)).toEqual([1, 2])
    await creditsReach(clients, 'dora', 10)
  })
}
