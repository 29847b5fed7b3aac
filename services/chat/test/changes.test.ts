import { chatRoutes, controlSchemas, type SignalName, type SignalPayload } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { guestPrincipal, testLog, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

type Change = SignalPayload<'chat-changed'>

let given: GivenChat
let chat: Replica
const signals: Change[] = []
const batches: SignalPayload<'chats-changed'>[] = []
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.signal.subscribe('chat-changed', (change) => void signals.push(change))
  given.signal.subscribe('chats-changed', (change) => void batches.push(change))
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
  signals.length = 0
  batches.length = 0
})

const kinds = () => signals.map(({ kind, messageId }) => [kind, messageId])

it('the hint chat-changed is sent for question, answer and chat as they begin, and for the answer as it ends', async () => {
  const user = userPrincipal()
  const { start } = await send(chat.api.as(user), message('What is new?'))
  const { chatId, messageId, userMessageId } = start
  await untilPasses(() => expect(signals).toHaveLength(4))
  expect(kinds()).toEqual(
    expect.arrayContaining([
      ['message', userMessageId],
      ['generation', messageId],
      ['updated', undefined],
      ['message', messageId],
    ]),
  )
  expect(kinds().slice(0, 2)).toEqual([
    ['message', userMessageId],
    ['generation', messageId],
  ])
  expect(signals.every((change) => change.userId === user.userId && change.chatId === chatId)).toBe(true)
  expect(signals.find(({ kind }) => kind === 'updated')).toMatchObject({ title: 'What is new?' })
})

it('the hint of a new chat has the id of the message that began it, before there is an answer; hints of later messages have none', async () => {
  const released = Promise.withResolvers<void>()
  given.router.script = async (call) => {
    await released.promise
    echo(call)
  }
  const caller = chat.api.as(userPrincipal())
  const clientMessageId = 'first-message-1'
  const sent = send(caller, message('Are you there?', { clientMessageId }))
  const updates = () => signals.filter(({ kind }) => kind === 'updated')
  await untilPasses(() => expect(updates()).toMatchObject([{ title: 'Are you there?', clientMessageId }]))
  released.resolve()
  const { start } = await sent
  expect(updates()[0]?.chatId).toBe(start.chatId)
  await untilPasses(() => expect(signals).toHaveLength(4))
  signals.length = 0
  await send(caller, message('And now?', { chatId: start.chatId, clientMessageId: 'second-message-1' }))
  await untilPasses(() => expect(updates()).toHaveLength(1))
  expect(updates()[0]).not.toHaveProperty('clientMessageId')
})

it('the hint of a chat has its current title, also when it is renamed while a message comes', async () => {
  const renaming = await given.replica({
    stores: (stores) => ({
      ...stores,
      chats: {
        ...stores.chats,
        async find(id, ownerId) {
          const found = await stores.chats.find(id, ownerId)
          await stores.chats.change(id, ownerId, { title: 'Second name' })
          return found
        },
      },
    }),
  })
  const user = userPrincipal()
  const { start } = await send(chat.api.as(user), message('First name'))
  await untilPasses(() => expect(signals).toHaveLength(4))
  signals.length = 0
  await send(renaming.api.as(user), message('And now?', { chatId: start.chatId }))
  await untilPasses(() => expect(signals).toHaveLength(4))
  expect(signals.find(({ kind }) => kind === 'updated')).toMatchObject({ title: 'Second name' })
})

it("a regenerated answer sends no hint for its question, and its chat's hint has the current title", async () => {
  const caller = chat.api.as(userPrincipal())
  const { start } = await send(caller, message('Again?'))
  await untilPasses(() => expect(signals).toHaveLength(4))
  signals.length = 0
  const redone = await send(caller, { model: 'v3', chatId: start.chatId, regenerateMessageId: start.messageId })
  await untilPasses(() => expect(signals).toHaveLength(3))
  expect(signals.filter(({ messageId }) => messageId === start.userMessageId)).toEqual([])
  expect(signals.filter(({ messageId }) => messageId === redone.start.messageId)).toHaveLength(2)
  expect(signals.find(({ kind }) => kind === 'updated')).toMatchObject({ title: 'Again?' })
})

it('an answer sends no control signal, so that however many answers push none out of its history', async () => {
  const control: SignalName[] = []
  const names = Object.keys(controlSchemas) as (keyof typeof controlSchemas)[]
  const ends = names.map((name) => given.signal.subscribe(name, () => void control.push(name)))
  const caller = chat.api.as(userPrincipal())
  const { start } = await send(caller, message('What is new?'))
  await send(caller, { model: 'v3', chatId: start.chatId, regenerateMessageId: start.messageId })
  await untilPasses(() => expect(signals).toHaveLength(7))
  // Signals arrive in their order: an earlier one would be before it.
  await given.signal.publish('models-changed', {})
  await untilPasses(() => expect(control).toEqual(['models-changed']))
  for (const end of ends) end()
})

it('no hint is sent for a guest’s answer', async () => {
  await send(chat.api.as(guestPrincipal()), message('Who am I?'))
  // A user's later change is signalled, so a guest's would have been before.
  await send(chat.api.as(userPrincipal()), message('And I?'))
  await untilPasses(() => expect(signals).toHaveLength(4))
  expect(new Set(signals.map(({ userId }) => userId)).size).toBe(1)
})

it('several chats deleted or imported at once are one hint', async () => {
  const user = userPrincipal()
  const me = chat.api.as(user)
  const titles = ['One', 'Two', 'Three']
  const file = titles.map((title) => ({
    format: 'parley-chat',
    version: 1,
    chat: { id: title, title },
    messages: [{ id: `${title} 1`, role: 'user', content: `Say ${title}` }],
  }))
  const query = { chatIds: 'true' }
  const { chatIds = [] } = (await me.call(chatRoutes.importChats, { body: file, query })).body
  expect(chatIds).toHaveLength(3)
  await me.call(chatRoutes.bulkRemove, { body: { ids: [...chatIds, 'missing'] } })
  await untilPasses(() => expect(batches).toHaveLength(2))
  const updatedAt = expect.any(String)
  expect(batches[0]).toEqual({
    userId: user.userId,
    kind: 'updated',
    chats: titles.map((title, nth) => ({ chatId: chatIds[nth], title, updatedAt })),
  })
  expect(batches[1]).toMatchObject({ userId: user.userId, kind: 'deleted' })
  expect(batches[1]?.chats.map(({ chatId }) => chatId).sort()).toEqual([...chatIds].sort())
  expect(signals).toEqual([])
})

it('ten thousand chats are deleted in one request, and sent as few hints of at most 64 KB', async () => {
  const user = userPrincipal()
  const tables = openPostgres({ url: given.url, schema: 'chat', log: testLog })
  await tables.pool.query(
    `insert into chats (id, owner_id, title, model_used, created_at, updated_at)
     select md5($1 || nth), $1, 'Chat ' || nth, 'v3', now(), now() from generate_series(1, 10000) as nth`,
    [user.userId],
  )
  await tables.close()
  expect((await chat.api.as(user).call(chatRoutes.clear)).body).toEqual({ deleted: 10_000 })
  const signalledIds = () => new Set(batches.flatMap(({ chats }) => chats.map(({ chatId }) => chatId)))
  await untilPasses(() => expect(signalledIds().size).toBe(10_000))
  for (const change of batches) expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(64 * 1024)
  expect(batches.length).toBeLessThan(20)
  expect(signals).toEqual([])
  const [first = ''] = signalledIds()
  await chat.api.as(user).call(chatRoutes.restore, { params: { id: first } })
  expect((await chat.api.as(user).call(chatRoutes.history)).body).toMatchObject([{ _id: first }])
})
