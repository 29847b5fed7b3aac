import { chatRoutes, type SignalPayload } from '@parley/contracts'
import { type ApiCaller, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let me: ApiCaller
let userId: string
/** Chats that other windows are told of. */
const told: string[] = []
beforeAll(async () => {
  given = await givenChat()
  given.router.script = echo
  chat = await given.replica()
  const note = (change: Pick<SignalPayload<'chat-changed'>, 'chatId' | 'kind'>) => {
    if (change.kind === 'updated') told.push(change.chatId)
  }
  given.signal.subscribe('chat-changed', note)
  given.signal.subscribe('chats-changed', ({ kind, chats }) => {
    for (const { chatId } of chats) note({ kind, chatId })
  })
})
afterAll(() => given.stop())
beforeEach(() => {
  const user = userPrincipal()
  userId = user.userId
  me = chat.api.as(user)
})

const list = async (query: { archived?: string; query?: string; limit?: string; pinnedFirst?: string } = {}) =>
  (await me.call(chatRoutes.history, { query })).body
const titles = async (query: Parameters<typeof list>[0] = {}) => (await list(query)).map(({ title }) => title)
const archive = async (ids: string[], archived = true) =>
  (await me.call(chatRoutes.archive, { body: { ids, archived } })).body
const say = async (text: string) => (await send(me, message(text))).start.chatId

describe('an archived chat', () => {
  it('is left out of the list and of searches unless requested, and is read and exported as before', async () => {
    const [plan, trip] = [await say('A plan for spring'), await say('A trip in spring')]
    told.length = 0
    expect(await archive([plan, plan, 'ffffffffffffffff'])).toEqual({ changed: [plan], notFound: ['ffffffffffffffff'] })
    await untilPasses(() => expect(told).toEqual([plan]))
    for (const part of [{}, { limit: '5', pinnedFirst: 'true' }, { query: 'spring' }]) {
      expect(await titles(part)).toEqual(['A trip in spring'])
      expect(await titles({ ...part, archived: 'true' })).toEqual(['A plan for spring'])
    }
    expect(await list({ archived: 'true' })).toMatchObject([{ _id: plan, archived: true, messageCount: 2 }])
    expect((await list())[0]).not.toHaveProperty('archived')
    const params = { id: plan }
    expect((await me.call(chatRoutes.get, { params, query: {} })).body).toMatchObject({
      archived: true,
      messages: [{ content: 'A plan for spring' }, { content: 'You said: A plan for spring' }],
    })
    expect((await me.get(`/api/chat/history/${plan}/export?format=md`)).text).toContain('A plan for spring')
    expect(await archive([plan, trip], false)).toEqual({ changed: [plan, trip], notFound: [] })
    expect([await titles(), await titles({ archived: 'true' })]).toEqual([
      ['A trip in spring', 'A plan for spring'],
      [],
    ])
  })

  it('is back in the list once a message or another version of an answer is written in it', async () => {
    const id = await say('Filed')
    await archive([id])
    const { start } = await send(me, message('Once more', { chatId: id }))
    expect(await titles()).toEqual(['Filed'])
    await archive([id])
    await send(me, message('x', { chatId: id, regenerateMessageId: start.messageId }))
    expect(await titles()).toEqual(['Filed'])
    expect((await me.call(chatRoutes.get, { params: { id }, query: {} })).body).not.toHaveProperty('archived')
  })

  it('stays in the archive when it is renamed, pinned, deleted and restored, and goes when all chats are deleted', async () => {
    const id = await say('Filed for good')
    await archive([id])
    const params = { id }
    await me.call(chatRoutes.rename, { params, body: { title: 'Renamed' } })
    await me.call(chatRoutes.pin, { params, body: { pinned: true } })
    await me.call(chatRoutes.remove, { params })
    expect(await archive([id], false)).toEqual({ changed: [], notFound: [id] })
    await me.call(chatRoutes.restore, { params })
    expect(await list({ archived: 'true', limit: '5', pinnedFirst: 'true' })).toMatchObject([
      { title: 'Renamed', pinned: true, archived: true },
    ])
    expect((await me.call(chatRoutes.clear)).body).toEqual({ deleted: 1 })
    expect(await list({ archived: 'true' })).toEqual([])
  })

  it('is archived by its owner alone: others get the response for a missing one', async () => {
    const id = await say('Mine')
    const stranger = chat.api.as(userPrincipal())
    const answer = await stranger.call(chatRoutes.archive, { body: { ids: [id], archived: true } })
    expect(answer.body).toEqual({ changed: [], notFound: [id] })
    expect((await list()).map(({ _id }) => _id)).toEqual([id])
    expect(await chat.stores.chats.find(id, userId)).not.toHaveProperty('archived')
  })
})
