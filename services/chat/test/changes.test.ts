import type { SignalPayload } from '@parley/contracts'
import { guestPrincipal, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

type Change = SignalPayload<'chat-changed'>

let given: GivenChat
let chat: Replica
const told: Change[] = []
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.signal.subscribe('chat-changed', (change) => void told.push(change))
})
afterAll(() => given.stop())
beforeEach(() => {
  told.length = 0
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
