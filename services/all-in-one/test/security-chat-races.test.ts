import { type ChatDetail, type Credits, chatRoutes, type Message } from '@parley/contracts'
import { type ApiCaller, collect, readEvents } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type Person, steadily, unlimited, type World } from './given.ts'

const many = <T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_none, index) => act(index)))

describe('concurrent requests in one chat:', () => {
  let world: World
  let admin: Person
  beforeAll(async () => {
    world = await openWorld(2)
    await world.settings(unlimited)
    admin = await world.admin()
  })
  afterAll(() => world.close())
  beforeEach(() => world.provider.reset())

  const creditsOf = async (person: Person) => (await person.api.get('/api/user/credits')).body as Credits
  const threadOf = async (caller: ApiCaller, id: string): Promise<ChatDetail> =>
    (await caller.call(chatRoutes.get, { params: { id }, query: { limit: 200 } })).body
  const everyMessage = async (caller: ApiCaller, id: string): Promise<Message[]> => {
    const { text } = await caller.get(`/api/chat/history/${id}/export?format=json`)
    return (JSON.parse(text) as { messages: Message[] }).messages
  }
  const begin = async (person: Person) => {
    const sent = await person.api.open('POST', '/api/chat', { body: { message: 'First', model: 'v3' } })
    const [start] = await collect(readEvents(sent))
    return JSON.parse(start?.data ?? '{}') as { chatId: string; messageId: string; userMessageId: string }
  }

  it('two windows that edit, regenerate, switch versions, import and delete end with the same tree', async () => {
    const person = await world.register()
    await admin.api.post(`/api/admin/users/${person.user._id}/credits`, { amount: 1_000 })
    const { chatId, messageId, userMessageId } = await begin(person)
    const acts: ((caller: ApiCaller, nth: number) => Promise<{ status: number; text: string }>)[] = [
      (caller, nth) => caller.post('/api/chat', { message: `More ${nth}`, model: 'v3', chatId }),
      (caller, nth) =>
        caller.post('/api/chat', { message: `Edit ${nth}`, model: 'v3', chatId, editMessageId: userMessageId }),
      (caller) => caller.post('/api/chat', { model: 'v3', chatId, regenerateMessageId: messageId }),
      (caller) => caller.put(`/api/chat/history/${chatId}/path`, { messageId }),
      (caller, nth) => {
        const messages = [{ id: `${chatId}-${nth}`, role: 'user', content: `Brought ${nth}` }]
        return caller.put('/api/chat/history', { chatId, model: 'v3', messages })
      },
      (caller) => caller.put(`/api/chat/history/${chatId}/feedback`, { messageId, rating: 'up' }),
      (caller, nth) => caller.put(`/api/chat/history/${chatId}/rename`, { title: `Named ${nth}` }),
      async (caller) => {
        await caller.delete(`/api/chat/history/${chatId}`)
        return await steadily(() => caller.post(`/api/chat/history/${chatId}/restore`))
      },
    ]
    const answers = await many(24, (nth) => {
      const act = acts[nth % acts.length] as (typeof acts)[0]
      return steadily(() => act(world.elsewhere(person, Math.floor(nth / acts.length) % 2), nth))
    })
    // 404 while the chat is deleted, 409 while an answer is generated.
    const refused = answers.filter(({ status }) => ![200, 404, 409].includes(status))
    expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([])
    await expect.poll(async () => (await threadOf(person.api, chatId)).generating).toBeUndefined()
    const last = { message: 'Last', model: 'v3', chatId }
    await expect.poll(async () => (await person.api.post('/api/chat', last)).status).toBe(200)
    const [here, there] = [await threadOf(person.api, chatId), await threadOf(world.elsewhere(person, 1), chatId)]
    expect(there).toEqual(here)
    const messages = await everyMessage(person.api, chatId)
    const ids = new Set(messages.map(({ id }) => id))
    expect(ids.size).toBe(messages.length)
    for (const { parentId } of messages) expect(parentId === null || ids.has(parentId)).toBe(true)
    expect(messages.filter(({ role, status }) => role === 'assistant' && status === 'generating')).toEqual([])
    // The shown messages are one path of the tree, each the child of the previous.
    expect(here.messages.map(({ parentId }) => parentId)).toEqual([
      null,
      ...here.messages.map(({ id }) => id).slice(0, -1),
    ])
    const listed = (await person.api.call(chatRoutes.history)).body.find(({ _id }) => _id === chatId)
    expect(listed?.messageCount).toBe(messages.length)
    expect(here.title).toBe(listed?.title)
    await expect.poll(async () => (await creditsOf(person)).held).toBe(0)
  })

  it('eight images for the last credits are one image', async () => {
    const person = await world.register()
    const price = 10
    const left = async () => (await creditsOf(person)).remaining
    while ((await left()) > price) await person.api.post('/api/chat/image', { prompt: 'Before' })
    world.provider.reset()
    await expect.poll(() => creditsOf(person)).toMatchObject({ remaining: price, held: 0 })
    const answers = await many(8, (nth) =>
      steadily(() => world.elsewhere(person, nth % 2).post('/api/chat/image', { prompt: `Nr ${nth}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 402)])
    expect(world.provider.calls).toHaveLength(1)
    await expect.poll(() => creditsOf(person)).toMatchObject({ remaining: 0, held: 0 })
  })

  it('one image requested eight times under one key is generated and charged once', async () => {
    const person = await world.register()
    const before = await creditsOf(person)
    const headers = { 'idempotency-key': 'one-of-eight' }
    const answers = await many(8, (nth) =>
      steadily(() => world.elsewhere(person, nth % 2).post('/api/chat/image', { prompt: 'A cat' }, { headers })),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(world.provider.calls).toHaveLength(1)
    await expect.poll(() => creditsOf(person)).toMatchObject({ remaining: before.remaining - 10, held: 0 })
  })

  it('a ban while an image is generated and a file uploaded leaves no hold, and accepts nothing more', async () => {
    const person = await world.register()
    world.provider.reply({ delayMs: 300 })
    const making = person.api.post('/api/chat/image', { prompt: 'A cat' })
    await world.provider.call(1)
    await admin.api.patch(`/api/admin/users/${person.user._id}`, { banned: true })
    expect([200, 403]).toContain((await making).status)
    for (const replica of [0, 1]) {
      const caller = world.elsewhere(person, replica)
      expect((await caller.post('/api/chat/image', { prompt: 'Another' })).status).toBe(403)
      expect((await caller.send('POST', '/api/chat/files', { raw: Buffer.from('x') })).status).toBe(403)
    }
    expect(world.provider.calls).toHaveLength(1)
    const open = 'select * from billing.holds where user_id = $1 and settled_at is null'
    await expect.poll(() => world.query(open, [person.user._id])).toEqual([])
  })

  it('a chat deleted while its image is generated gets no message, and the image stays its owner’s', async () => {
    const person = await world.register()
    const { chatId } = await begin(person)
    const deleted = Promise.withResolvers<void>()
    world.provider.reply({ pause: { after: 0, until: deleted.promise } })
    const making = person.api.post('/api/chat/image', { prompt: 'A cat', chatId })
    await world.provider.call(2)
    await person.api.delete(`/api/chat/history/${chatId}`)
    deleted.resolve()
    const { status, body } = await making
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('messageId')
    expect((await person.api.get((body as { imageUrl: string }).imageUrl)).status).toBe(200)
    await person.api.post(`/api/chat/history/${chatId}/restore`)
    expect((await threadOf(person.api, chatId)).messages).toHaveLength(2)
    await expect.poll(async () => (await creditsOf(person)).held).toBe(0)
  })
})
