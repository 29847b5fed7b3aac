import { chatRoutes } from '@parley/contracts'
import { readEvents } from '@parley/testing'
import { connected, connectSocket, openSocket, type SocketClient } from '@parley/testing/socket-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'
import { createReplica } from './thread-replica.ts'

/** Disconnections in the test of a flapping network; run by hand with more. */
const flaps = 1_000
/** Sockets that flap at the same time. */
const flapping = 20

describe('sockets of a whole system', () => {
  let world: World
  let admin: Person
  const clients: SocketClient[] = []
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
    admin = await world.admin()
  })
  afterAll(async () => {
    for (const client of clients) client.close()
    await world.close()
  })
  const connect = async (person: Person, replica = 0): Promise<SocketClient> => {
    const client = await connectSocket(world.replicas[replica]?.url ?? '', person.token)
    clients.push(client)
    return client
  }
  const newChat = async (person: Person): Promise<string> => {
    const { body } = await person.api.post('/api/chat/history', { title: 'Live', model: 'v3' })
    return (body as { chatId: string }).chatId
  }
  const join = async (client: SocketClient, chatId: string): Promise<SocketClient> => {
    client.say('join', { chatId })
    await client.until('chat:init', (init) => init.chatId === chatId)
    return client
  }
  const send = (person: Person, chatId: string, message = 'Count') =>
    person.api.open('POST', `/api${chatRoutes.send.path}`, { body: { message, model: 'v3', chatId } })

  it('receive the same answer as the sender, byte by byte, on any replica', async () => {
    const ann = await world.register()
    const chatId = await newChat(ann)
    const chunks = Array.from({ length: 80 }, (_none, index) => `${index} ä🙂 `)
    world.provider.reply({ chunks, delayMs: 2, splitUtf8: true })
    const [here, there] = [await join(await connect(ann), chatId), await join(await connect(ann, 1), chatId)]
    let sent = ''
    for await (const { data } of readEvents(await send(ann, chatId))) {
      if (data !== '[DONE]') sent += (JSON.parse(data) as { text?: string }).text ?? ''
    }
    expect(sent).toBe(chunks.join(''))
    for (const client of [here, there]) {
      const done = await client.until('stream:done')
      await client.until('msg:append', ({ message }) => message.id === done.messageId && message.status === 'complete')
      const deltas = client.all('stream:delta')
      expect(deltas.map(({ text }) => text ?? '').join('')).toBe(sent)
      expect(deltas.map(({ seq }) => seq)).toEqual(deltas.map((_none, index) => index + 1))
      expect(client.all('msg:append').map(({ message: { role, content } }) => [role, content])).toEqual([
        ['user', 'Count'],
        ['assistant', ''],
        ['assistant', sent],
      ])
    }
  })

  it('receive no event of another user', async () => {
    const [ann, eve] = [await world.register(), await world.register()]
    const chatId = await newChat(ann)
    const [own, foreign] = [await join(await connect(ann), chatId), await connect(eve)]
    foreign.say('join', { chatId })
    expect(await foreign.until('chat:error')).toMatchObject({ chatId, code: 'not_found' })
    world.provider.reply({ text: 'A secret' })
    await (await send(ann, chatId)).body.text()
    await ann.api.put(`/api/chat/history/${chatId}/rename`, { title: 'Renamed' })
    await own.until('chat:update', ({ title }) => title === 'Renamed')
    await ann.api.delete(`/api/chat/history/${chatId}`)
    await own.until('chat:delete')
    await own.until('user:update', ({ credits }) => credits !== undefined)
    // Only its own rights, and that the chat was not found.
    expect(new Set(foreign.heard.map(({ event }) => event))).toEqual(new Set(['user:update', 'chat:error']))
  })

  it("are told on every replica that their answer's provider is being retried, before the answer has a status", async () => {
    const [ann, eve] = [await world.register(), await world.register()]
    const chatId = await newChat(ann)
    const [here, there, foreign] = [await connect(ann), await connect(ann, 1), await connect(eve)]
    const held = Promise.withResolvers<void>()
    world.provider.reply({ status: 503, headers: { 'retry-after': '0' } })
    world.provider.reply({ text: 'Finally', pause: { after: 0, until: held.promise } })
    let hasStatus = false
    const answer = send(ann, chatId).finally(() => {
      hasStatus = true
    })
    const delayed = await here.until('stream:delayed')
    expect(hasStatus).toBe(false)
    expect(delayed).toEqual({
      chatId,
      messageId: expect.any(String),
      delay: { state: 'retrying', model: 'v3', reason: 'busy', attempt: 2, of: 3, waitMs: 0 },
    })
    expect(await there.until('stream:delayed')).toEqual(delayed)
    held.resolve()
    expect(await (await answer).body.text()).toContain('Finally')
    await newChat(eve)
    await foreign.until('chat:update')
    expect(foreign.all('stream:delayed')).toEqual([])
    expect(here.all('stream:delayed')).toHaveLength(1)
  })

  it('receive the remaining credits after an answer, and after a grant', async () => {
    const ann = await world.register()
    const client = await connect(ann)
    const told = async (amount: number) => {
      const grant = await admin.api.post(`/api/admin/users/${ann.user._id}/credits`, { amount })
      expect(grant.status).toBe(200)
      const { remaining } = (await ann.api.get('/api/user/credits')).body as { remaining: number }
      return remaining
    }
    // Either replica may consume the event; both send it to their connections.
    const other = await connect(ann, 1)
    const remaining = await told(5)
    await expect
      .poll(() => [...client.all('user:update'), ...other.all('user:update')].map(({ credits }) => credits?.remaining))
      .toContain(remaining)
  })

  it('are closed at once by a ban and a sign-out, and receive changed rights', async () => {
    const ann = await world.register()
    const [client, elsewhere] = [await connect(ann), await connect(ann, 1)]
    await admin.api.patch(`/api/admin/users/${ann.user._id}`, { isAdmin: true })
    for (const one of [client, elsewhere]) await one.until('user:update', ({ isAdmin }) => isAdmin === true)
    await admin.api.patch(`/api/admin/users/${ann.user._id}`, { isAdmin: false })
    const rights = (one: typeof client) => one.all('user:update').findLast(({ isAdmin }) => isAdmin !== undefined)
    for (const one of [client, elsewhere]) await expect.poll(() => rights(one)?.isAdmin).toBe(false)
    await admin.api.patch(`/api/admin/users/${ann.user._id}`, { banned: true })
    for (const one of [client, elsewhere]) expect(await one.until('goodbye')).toEqual({ code: 'account_banned' })
    const again = openSocket(world.replicas[0]?.url ?? '', { token: ann.token })
    expect((await connected(again))?.data?.code).toBe('account_banned')

    const bob = await world.register()
    const out = await connect(bob, 1)
    await world.at().post('/api/auth/logout', {}, { headers: { cookie: bob.cookie } })
    expect(await out.until('goodbye')).toEqual({ code: 'unauthenticated' })
  })

  it('are refused from other sites and with a token in the URL', async () => {
    const url = world.replicas[0]?.url ?? ''
    const { token } = await world.register()
    const foreign = openSocket(url, { token }, { extraHeaders: { origin: 'http://evil.test' } })
    expect(await connected(foreign)).toBeInstanceOf(Error)
    const inAddress = openSocket(url, {}, { query: { token } })
    expect(await connected(inAddress)).toBeInstanceOf(Error)
  })

  it(`miss and repeat nothing over ${flaps} disconnections`, async () => {
    const ann = await world.register()
    await admin.api.post(`/api/admin/users/${ann.user._id}/credits`, { amount: 1_000 })
    const chatId = await newChat(ann)
    let isOver = false
    let left = flaps
    world.provider.reset()
    const talk = async (): Promise<void> => {
      // A chat is read in pages of 200 messages.
      for (let nth = 0; !isOver && nth < 95; nth += 1) {
        world.provider.reply({ chunks: Array.from({ length: 40 }, (_none, index) => `${nth}.${index} `), delayMs: 5 })
        await (await send(ann, chatId, `Question ${nth}`)).body.text()
      }
    }
    const flap = async (nth: number): Promise<ReturnType<typeof createReplica>> => {
      const replica = createReplica(ann.api, chatId)
      const url = world.replicas[nth % 2]?.url ?? ''
      while (left > 0) {
        left -= 1
        const client = await connectSocket(url, ann.token)
        replica.follow(client)
        client.say('join', { chatId })
        await client.until('chat:init')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 60))
        client.close()
      }
      const last = await connectSocket(url, ann.token)
      clients.push(last)
      replica.follow(last)
      await join(last, chatId)
      return replica
    }
    const talking = talk()
    const replicas = await Promise.all(Array.from({ length: flapping }, (_none, nth) => flap(nth))).finally(
      async () => {
        isOver = true
        left = 0
        await talking
      },
    )
    const { body } = await ann.api.get(`/api/chat/history/${chatId}?limit=200`)
    const { messages } = body as { messages: { id: string; content: string }[] }
    const stored = messages.map(({ id, content }) => `${id} ${content}`)
    expect(stored.length).toBeGreaterThan(4)
    for (const replica of replicas) {
      await expect.poll(() => replica.thread()).toEqual(stored)
      expect(replica.faults).toEqual([])
    }
  })
})
