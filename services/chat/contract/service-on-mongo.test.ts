import { chatRoutes, type SignalPayload, streamEnd } from '@parley/contracts'
import { openMongo } from '@parley/db/mongo'
import { createLogger, newId } from '@parley/kit'
import { type ApiCaller, guestPrincipal, readEvents, startFaultProxy, userPrincipal } from '@parley/testing'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChatStores } from '../src/store/index.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import { cutOffStores } from '../test/cut-off.ts'
import type { CompletionCall } from '../test/fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, type ReplicaOptions, send } from '../test/given-chat.ts'
import { exportOf } from '../test/given-export.ts'
import { picture } from '../test/sample-files.ts'
import { dropMongo } from './chat-engines.ts'

const log = createLogger('chat-contract', 'silent')
const patient = { timeout: 120_000, interval: 50 }

onEngine('mongo', () => {
  describe('chat on MongoDB', () => {
    let given: GivenChat
    let proxy: Awaited<ReturnType<typeof startFaultProxy>>
    let one: Replica
    let two: Replica
    const url = testMongoUrl()
    const opened: ChatStores[] = []
    const replica = async (at: string, { stores, ...options }: ReplicaOptions = {}): Promise<Replica> => {
      const own = openMongoChatStores({ url: at, log })
      opened.push(own)
      const started = { timing: { leaseMs: 6_000 }, ...options, stores: () => stores?.(own) ?? own }
      return { ...(await given.replica(started)), stores: own }
    }
    beforeAll(async () => {
      given = await givenChat()
      const { hostname: host, port } = new URL(url)
      proxy = await startFaultProxy({ host, port: Number(port) })
      one = await replica(proxy.through(url))
      two = await replica(url)
    })
    beforeEach(async () => {
      given.router.reset()
      // Whatever came of the test before.
      proxy.fault({ kind: 'none' })
      await expect.poll(async () => (await one.api.get('/readyz')).status, patient).toBe(200)
    })
    afterAll(async () => {
      await given.stop()
      for (const stores of opened) await stores.close()
      await proxy.close()
      await dropMongo(url)
    })

    /** Starts an answer that stands still after some text. */
    const halfAnswer = async (caller: ApiCaller) => {
      given.router.script = (call) => {
        call.start()
        call.text('Half of it')
      }
      const events = readEvents(await caller.stream(chatRoutes.send, { body: message('Go') }))
      const start: { chatId: string; messageId: string } = JSON.parse((await events.next()).value?.data ?? '')
      await events.next()
      return { start, events, call: given.router.calls.at(-1) as CompletionCall }
    }
    const messagesOf = async (caller: ApiCaller, chatId: string) =>
      (await caller.call(chatRoutes.get, { params: { id: chatId } })).body.messages

    it('answers a send to two replicas once, stores it, and signals it', async () => {
      const user = userPrincipal()
      const body = message('Once', { clientMessageId: 'on-mongo' })
      const [first, second] = await Promise.all([send(one.api.as(user), body), send(two.api.as(user), body)])
      expect(second.data).toEqual(first.data)
      expect(given.router.calls).toHaveLength(1)
      expect(await messagesOf(two.api.as(user), first.start.chatId)).toMatchObject([
        { role: 'user', content: 'Once' },
        { role: 'assistant', content: 'You said: Once', status: 'complete', credits: 1 },
      ])
      const told = () => given.events.filter(({ key }) => key === first.start.messageId)
      await vi.waitFor(() => expect(told()).toHaveLength(1), patient)
    })

    it('continues a chat with versions, searches it, deletes and restores it', async () => {
      const user = one.api.as(userPrincipal())
      const { start } = await send(user, message('Uno'))
      const { chatId } = start
      const second = await send(user, message('Dos', { chatId }))
      const again = await send(user, message('Dos', { chatId, regenerateMessageId: second.start.messageId }))
      const messages = await messagesOf(user, chatId)
      expect(messages.map(({ content }) => content)).toEqual(['Uno', 'You said: Uno', 'Dos', 'You said: Dos'])
      expect(messages[3]?.versions).toEqual([second.start.messageId, again.start.messageId])
      expect((await user.call(chatRoutes.history, { query: { query: 'SAID: DOS' } })).body).toMatchObject([
        { _id: chatId, messageCount: 5 },
      ])
      await user.call(chatRoutes.remove, { params: { id: chatId } })
      expect((await user.call(chatRoutes.history)).body).toEqual([])
      await user.call(chatRoutes.restore, { params: { id: chatId } })
      expect((await user.call(chatRoutes.history)).body).toHaveLength(1)
    })

    it('continues an answer in its message, once for a send to two replicas, and reads it from either', async () => {
      const user = userPrincipal()
      given.router.script = (call) => {
        call.start()
        call.text('The quick brown')
        call.end('length')
      }
      const { start } = await send(one.api.as(user), message('Go'))
      const { chatId, messageId } = start
      given.router.script = (call) => {
        call.start()
        call.text(' fox')
        call.end()
      }
      const body = { model: 'v3', chatId, continueMessageId: messageId, clientMessageId: `go-${messageId}` }
      const [first, second] = await Promise.all([send(one.api.as(user), body), send(two.api.as(user), body)])
      expect(first.text).toBe('The quick brown fox')
      expect(second.data).toEqual(first.data)
      const whole = { id: messageId, content: 'The quick brown fox', status: 'complete', credits: 2 }
      for (const each of [one, two]) expect(await messagesOf(each.api.as(user), chatId)).toMatchObject([{}, whole])
      expect((await one.api.as(user).post('/api/chat', { ...body, clientMessageId: 'other' })).status).toBe(400)
      const { generationId } = first.start as { generationId?: string }
      const told = () => given.events.filter(({ key }) => key === messageId || key === generationId)
      await vi.waitFor(() => expect(told()).toHaveLength(2), patient)
    })

    it('exports every chat and file of a user', async () => {
      const user = userPrincipal()
      await send(one.api.as(userPrincipal()), message('A stranger’s'))
      for (const title of ['Uno', 'Dos']) await send(one.api.as(user), message(`Say ${title}`, { title }))
      await one.api.as(user).call(chatRoutes.upload, { raw: await picture('png'), headers: { 'x-file-name': 'a.png' } })
      const files = await exportOf(given, user.userId)
      const names = ['watchlist.json', 'chats/1-Uno.json', 'chats/1-Uno.md', 'chats/2-Dos.json', 'chats/2-Dos.md']
      expect([...files.keys()]).toEqual([...names, expect.stringMatching(/^files\/\w+-a\.png$/), 'files/files.json'])
      expect(String(files.get('chats/2-Dos.md'))).toContain('You said: Say Dos')
    })

    it('deletes two thousand chats in one request and sends few signals', async () => {
      const user = userPrincipal()
      const told: SignalPayload<'chats-changed'>[] = []
      given.signal.subscribe('chats-changed', (change) => void told.push(change))
      const database = openMongo({ url, log })
      const at = new Date()
      const chat = { ownerId: user.userId, title: 'One of many', modelUsed: 'v3', pinned: false, messageCount: 0 }
      const times = { createdAt: at, updatedAt: at, deletedAt: null }
      const documents = Array.from({ length: 2_000 }, () => ({
        _id: newId(),
        ...chat,
        leafId: null,
        turns: 0,
        ...times,
      }))
      await (await database.collection('chats')).insertMany(documents as never)
      await database.close()
      expect((await one.api.as(user).call(chatRoutes.clear)).body).toEqual({ deleted: 2_000 })
      const idsTold = () => new Set(told.flatMap(({ chats }) => chats.map(({ chatId }) => chatId)))
      await vi.waitFor(() => expect(idsTold().size).toBe(2_000), patient)
      expect(told.length).toBeLessThan(5)
      expect((await two.api.as(user).call(chatRoutes.history)).body).toEqual([])
    })

    it('generates one answer of a chat at a time, and stops it from any replica', async () => {
      const user = userPrincipal()
      const { start, call } = await halfAnswer(one.api.as(user))
      const meanwhile = await two.api.as(user).post('/api/chat', message('And this', { chatId: start.chatId }))
      expect(meanwhile).toMatchObject({ status: 409, body: { code: 'conflict' } })
      await two.api.as(user).call(chatRoutes.stop, { params: { id: start.messageId } })
      await vi.waitFor(() => expect(call.aborted()).toBe(true), patient)
      expect((await messagesOf(two.api.as(user), start.chatId))[1]).toMatchObject({ content: 'Half of it' })
    })

    it('ends the answer of a replica that died, with its text, and settles it', async () => {
      let cutOff = false
      const dying = await replica(url, {
        stores: (stores) => cutOffStores(stores, () => cutOff),
      })
      const user = userPrincipal()
      const { start, call } = await halfAnswer(dying.api.as(user))
      cutOff = true
      await vi.waitFor(
        async () =>
          expect((await messagesOf(two.api.as(user), start.chatId))[1]).toMatchObject({
            status: 'interrupted',
            content: 'Half of it',
            credits: 1,
          }),
        patient,
      )
      await vi.waitFor(() => expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 1 }), patient)
      cutOff = false
      call.end()
    })

    it('grants a guest the remaining messages and no more', async () => {
      const guest = one.api.as(guestPrincipal({ network: '4:203.0.113.31' }))
      const { body } = await guest.call(chatRoutes.guestInfo)
      const headers = { 'x-guest-session-id': body.guestSession.id }
      const tries = Array.from({ length: 10 }, (_, nth) => guest.post('/api/chat', message(`Try ${nth}`), { headers }))
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(2)
      expect(statuses.filter((status) => status === 429)).toHaveLength(8)
    })

    it('refuses requests while MongoDB is unavailable, and finalizes running answers afterwards', async () => {
      const user = userPrincipal()
      const { start, events, call } = await halfAnswer(one.api.as(user))
      proxy.fault({ kind: 'refuse' })
      proxy.cutNow()
      // Each is refused once no server could be found for some time, so all of them are asked at once.
      const refused = await Promise.all([
        one.api.as(user).get('/api/chat/history'),
        one.api.as(user).post('/api/chat', message('Now?')),
      ])
      for (const each of refused) expect(each).toMatchObject({ status: 503, body: { code: 'unavailable' } })
      await expect.poll(async () => (await one.api.as(user).get('/readyz')).status, patient).toBe(503)
      expect(proxy.observed).toBeGreaterThan(0)
      proxy.fault({ kind: 'none' })
      call.text(' and the rest')
      call.end()
      const data: string[] = []
      for await (const event of events) data.push(event.data)
      expect(data.at(-1)).toBe(streamEnd)
      const kept = (await messagesOf(two.api.as(user), start.chatId))[1]
      expect(['complete', 'interrupted']).toContain(kept?.status)
      expect(kept?.content).toMatch(/^Half of it/)
      await expect.poll(async () => (await one.api.as(user).get('/readyz')).status, patient).toBe(200)
    })
  })
})
