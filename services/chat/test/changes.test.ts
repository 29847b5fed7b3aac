import { chatRoutes, type SignalPayload } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { guestPrincipal, testLog, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

type Change = SignalPayload<'chat-changed'>

let given: GivenChat
let chat: Replica
const told: Change[] = []
const toldTogether: SignalPayload<'chats-changed'>[] = []
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.signal.subscribe('chat-changed', (change) => void told.push(change))
  given.signal.subscribe('chats-changed', (change) => void toldTogether.push(change))
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
  told.length = 0
  toldTogether.length = 0
})

const kinds = () => told.map(({ kind, messageId }) => [kind, messageId])

it('question, answer and chat are told as they begin, and the answer as it ends', async () => {
  const user = userPrincipal()
  const { start } = await send(chat.api.as(user), message('What is new?'))
  const { chatId, messageId, userMessageId } = start
  await untilPasses(() => expect(told).toHaveLength(4))
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
  expect(told.every((change) => change.userId === user.userId && change.chatId === chatId)).toBe(true)
  expect(told.find(({ kind }) => kind === 'updated')).toMatchObject({ title: 'What is new?' })
})

it('a new chat is told with the id of the message that began it before there is an answer, later messages without', async () => {
  const released = Promise.withResolvers<void>()
  given.router.script = async (call) => {
    await released.promise
    echo(call)
  }
  const caller = chat.api.as(userPrincipal())
  const clientMessageId = 'first-message-1'
  const sent = send(caller, message('Are you there?', { clientMessageId }))
  const updates = () => told.filter(({ kind }) => kind === 'updated')
  await untilPasses(() => expect(updates()).toMatchObject([{ title: 'Are you there?', clientMessageId }]))
  released.resolve()
  const { start } = await sent
  expect(updates()[0]?.chatId).toBe(start.chatId)
  await untilPasses(() => expect(told).toHaveLength(4))
  told.length = 0
  await send(caller, message('And now?', { chatId: start.chatId, clientMessageId: 'second-message-1' }))
  await untilPasses(() => expect(updates()).toHaveLength(1))
  expect(updates()[0]).not.toHaveProperty('clientMessageId')
})

it('a chat is told by the title that it has, also when it is renamed while a message comes', async () => {
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
  await untilPasses(() => expect(told).toHaveLength(4))
  told.length = 0
  await send(renaming.api.as(user), message('And now?', { chatId: start.chatId }))
  await untilPasses(() => expect(told).toHaveLength(4))
  expect(told.find(({ kind }) => kind === 'updated')).toMatchObject({ title: 'Second name' })
})

it('an answer that is redone tells no question, and its chat by its own title', async () => {
  const caller = chat.api.as(userPrincipal())
  const { start } = await send(caller, message('Again?'))
  await untilPasses(() => expect(told).toHaveLength(4))
  told.length = 0
  const redone = await send(caller, { model: 'v3', chatId: start.chatId, regenerateMessageId: start.messageId })
  await untilPasses(() => expect(told).toHaveLength(3))
  expect(told.filter(({ messageId }) => messageId === start.userMessageId)).toEqual([])
  expect(told.filter(({ messageId }) => messageId === redone.start.messageId)).toHaveLength(2)
  expect(told.find(({ kind }) => kind === 'updated')).toMatchObject({ title: 'Again?' })
})

it('nothing is told of a guest’s answer', async () => {
  await send(chat.api.as(guestPrincipal()), message('Who am I?'))
  // What a user does later is told, so what a guest did would have been.
  await send(chat.api.as(userPrincipal()), message('And I?'))
  await untilPasses(() => expect(told).toHaveLength(4))
  expect(new Set(told.map(({ userId }) => userId)).size).toBe(1)
})

it('several chats that are deleted or imported at once are told by one signal', async () => {
  const user = userPrincipal()
  const me = chat.api.as(user)
  const titles = ['One', 'Two', 'Three']
  const file = titles.map((title) => ({
    format: 'parley-chat',
    version: 1,
    chat: { id: title, title },
    messages: [{ id: `${title} 1`, role: 'user', content: `Say ${title}` }],
  }))
  const { chatIds } = (await me.call(chatRoutes.importChats, { body: file })).body
  expect(chatIds).toHaveLength(3)
  await me.call(chatRoutes.bulkRemove, { body: { ids: [...chatIds, 'missing'] } })
  await untilPasses(() => expect(toldTogether).toHaveLength(2))
  const updatedAt = expect.any(String)
  expect(toldTogether[0]).toEqual({
    userId: user.userId,
    kind: 'updated',
    chats: titles.map((title, nth) => ({ chatId: chatIds[nth], title, updatedAt })),
  })
  expect(toldTogether[1]).toMatchObject({ userId: user.userId, kind: 'deleted' })
  expect(toldTogether[1]?.chats.map(({ chatId }) => chatId).sort()).toEqual([...chatIds].sort())
  expect(told).toEqual([])
})

it('ten thousand chats are deleted by one act, and told by few signals of at most 64 KB', async () => {
  const user = userPrincipal()
  const tables = openPostgres({ url: given.url, schema: 'chat', log: testLog })
  await tables.pool.query(
    `insert into chats (id, owner_id, title, model_used, created_at, updated_at)
     select md5($1 || nth), $1, 'Chat ' || nth, 'v3', now(), now() from generate_series(1, 10000) as nth`,
    [user.userId],
  )
  await tables.close()
  expect((await chat.api.as(user).call(chatRoutes.clear)).body).toEqual({ deleted: 10_000 })
  const idsTold = () => new Set(toldTogether.flatMap(({ chats }) => chats.map(({ chatId }) => chatId)))
  await untilPasses(() => expect(idsTold().size).toBe(10_000))
  for (const change of toldTogether) expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(64 * 1024)
  expect(toldTogether.length).toBeLessThan(20)
  expect(told).toEqual([])
  const [first = ''] = idsTold()
  await chat.api.as(user).call(chatRoutes.restore, { params: { id: first } })
  expect((await chat.api.as(user).call(chatRoutes.history)).body).toMatchObject([{ _id: first }])
})
