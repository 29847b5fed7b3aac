import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, collect, readEvents, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { echo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, type ReplicaOptions, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let me: ApiCaller
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica({ timing: { restoreMs: 300 } })
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
  me = chat.api.as(userPrincipal())
})

const list = async () => (await me.call(chatRoutes.history)).body
const detail = async (id: string) => (await me.call(chatRoutes.get, { params: { id } })).body
const bring = async (file: unknown, by = me) => await by.call(chatRoutes.importChats, { body: file })
const exported = (id: string, format: string) => me.get(`/api/chat/history/${id}/export?format=${format}`)

/** A chat with two versions of its question, of which the older one is shown. */
async function givenVersions() {
  const { start } = await send(me, message('One', { title: 'Naïve "plan" / 計画' }))
  const { chatId } = start
  await send(me, message('Other', { chatId, editMessageId: start.userMessageId }))
  await me.call(chatRoutes.show, { params: { id: chatId }, body: { messageId: start.messageId } })
  return start
}

describe('an export', () => {
  it('as Markdown has the messages shown, their roles and times', async () => {
    const { chatId } = await givenVersions()
    const file = await exported(chatId, 'md')
    expect(file.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="Na_ve plan __.md"; filename*=UTF-8''Na%C3%AFve%20plan%20%E8%A8%88%E7%94%BB.md`,
    })
    expect(file.text).toMatch(/^# Naïve "plan" \/ 計画\n/)
    expect(file.text).toMatch(
      /## You · \d{4}-\d\d-\d\d \d\d:\d\d UTC\n\nOne\n\n## Assistant \(v3\) · .+\n\nYou said: One\n$/,
    )
    expect(file.text).not.toContain('Other')
  })

  it('as JSON has everything, and an import of it restores dates, versions and the version shown', async () => {
    const { chatId } = await givenVersions()
    const file = await exported(chatId, 'json')
    const saved = JSON.parse(file.text)
    expect(saved).toMatchObject({ format: 'parley-chat', version: 1, chat: { id: chatId } })
    expect(saved.messages).toHaveLength(4)
    const other = chat.api.as(userPrincipal())
    expect((await bring(saved, other)).body).toMatchObject({ imported: 1, skipped: 0 })
    const [copy] = (await other.call(chatRoutes.history)).body
    expect(copy).toMatchObject({
      title: saved.chat.title,
      createdAt: saved.chat.createdAt,
      updatedAt: saved.chat.updatedAt,
    })
    const thread = (await other.call(chatRoutes.get, { params: { id: copy?._id ?? '' } })).body.messages
    expect(thread.map(({ content }) => content)).toEqual(['One', 'You said: One'])
    expect(thread[0]?.versions).toHaveLength(2)
    expect(thread.map(({ createdAt }) => createdAt)).toEqual(
      (await detail(chatId)).messages.map(({ createdAt }) => createdAt),
    )
  })
})

const node = (id: string, parent: string | null, role: string | null, parts: unknown[], more: object = {}) => [
  id,
  {
    id,
    parent,
    message: role && {
      author: { role },
      content: { content_type: 'text', parts },
      create_time: 1_700_000_000.5,
      ...more,
    },
  },
]
const chatGpt = (id = 'conversation-1') => ({
  conversation_id: id,
  title: 'From elsewhere',
  create_time: 1_700_000_000,
  update_time: 1_700_000_900.25,
  current_node: 'a1',
  mapping: Object.fromEntries([
    node('root', null, null, []),
    node('sys', 'root', 'system', ['You are']),
    node('q', 'sys', 'user', ['Question']),
    node('call', 'q', 'assistant', ['{}'], { content: { content_type: 'code', text: 'search()' } }),
    node('tool', 'call', 'tool', ['Result']),
    node('a1', 'tool', 'assistant', ['Answer one'], { metadata: { model_slug: 'gpt-4o' } }),
    node('a2', 'q', 'assistant', ['Answer two']),
    node('q-edited', 'sys', 'user', [], {
      content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }, 'Look'] },
    }),
  ]),
})
const libreMessage = (messageId: string, isCreatedByUser: boolean, text: string, more: object = {}) => ({
  messageId,
  isCreatedByUser,
  sender: isCreatedByUser ? 'User' : 'GPT-4',
  text,
  createdAt: '2024-03-01T10:00:00.000Z',
  ...more,
})

/** Stores that do this before they store a chat of an import. */
const beforeStoring =
  (act: () => Promise<void>): NonNullable<ReplicaOptions['stores']> =>
  (stores) => ({
    ...stores,
    chats: {
      ...stores.chats,
      async add(...whole) {
        await act()
        return stores.chats.add(...whole)
      },
    },
  })
const followImport = async (by: ApiCaller, file: unknown) =>
  readEvents(await by.open('POST', '/api/chat/import', { body: file, headers: { accept: 'text/event-stream' } }))

describe('an import', () => {
  it('of a ChatGPT export keeps the tree, what was shown and the dates, without tools and system', async () => {
    expect((await bring([chatGpt(), chatGpt('conversation-2')])).body).toMatchObject({ imported: 2, skipped: 0 })
    const [listed] = await list()
    expect(listed).toMatchObject({
      title: 'From elsewhere',
      modelUsed: 'gpt-4o',
      createdAt: '2023-11-14T22:13:20.000Z',
      updatedAt: '2023-11-14T22:28:20.250Z',
      messageCount: 4,
    })
    const { messages } = await detail(listed?._id ?? '')
    expect(messages).toMatchObject([
      { role: 'user', content: 'Question', createdAt: '2023-11-14T22:13:20.500Z', parentId: null },
      { role: 'assistant', content: 'Answer one', model: 'gpt-4o', status: 'complete' },
    ])
    expect(messages.map(({ versions }) => versions?.length)).toEqual([2, 2])
    const edited = messages[0]?.versions?.find((id) => id !== messages[0]?.id) ?? ''
    await me.call(chatRoutes.show, { params: { id: listed?._id ?? '' }, body: { messageId: edited } })
    expect((await detail(listed?._id ?? '')).messages).toMatchObject([{ content: '*[image]*\n\nLook' }])
  })

  it('of a LibreChat export takes messages as a list or one inside the other', async () => {
    const flat = [
      libreMessage('q', true, 'Question', { parentMessageId: '00000000-0000-0000-0000-000000000000' }),
      libreMessage('a', false, '', { parentMessageId: 'q', content: [{ type: 'text', text: { value: 'Answer' } }] }),
    ]
    const nested = [{ ...flat[0], children: [{ ...flat[1], parentMessageId: undefined }] }]
    const files = [flat, nested].map((messages, nth) => ({ conversationId: `c${nth}`, title: `T${nth}`, messages }))
    for (const file of files) expect((await bring(file)).body).toMatchObject({ imported: 1, skipped: 0 })
    for (const { _id, createdAt } of await list()) {
      expect(createdAt).toBe('2024-03-01T10:00:00.000Z')
      expect((await detail(_id)).messages.map(({ role, content }) => [role, content])).toEqual([
        ['user', 'Question'],
        ['assistant', 'Answer'],
      ])
    }
  })

  it("of a file that was imported skips its chats, a concurrent one joins it, and another user's is separate", async () => {
    const both = await Promise.all([bring(chatGpt()), bring(chatGpt())])
    expect(both.map(({ body }) => body)).toEqual(Array(2).fill({ imported: 1, skipped: 0 }))
    expect((await bring(chatGpt())).body).toEqual({ imported: 0, skipped: 1 })
    const named = await me.call(chatRoutes.importChats, { body: chatGpt(), query: { chatIds: 'true' } })
    expect(named.body).toEqual({ imported: 0, skipped: 1, chatIds: (await list()).map(({ _id }) => _id) })
    const other = chat.api.as(userPrincipal())
    expect((await bring(chatGpt(), other)).body).toMatchObject({ imported: 1, skipped: 0 })
  })

  describe('that takes long', () => {
    const file = Array.from({ length: 20 }, (_, nth) => chatGpt(`slow-${nth}`))
    let released: PromiseWithResolvers<void>
    let slow: Replica
    beforeAll(async () => {
      slow = await given.replica({ stores: beforeStoring(() => released.promise) })
    })
    beforeEach(() => {
      released = Promise.withResolvers()
    })
    const follow = (by: ApiCaller) => followImport(by, file)
    const read = (frame: IteratorResult<{ data: string }>) => JSON.parse(frame.value?.data ?? '{}')

    it('streams its progress, then its outcome', async () => {
      const by = slow.api.as(userPrincipal())
      const events = await follow(by)
      expect(read(await events.next())).toEqual({ progress: { done: 0, total: 20 } })
      released.resolve()
      const later = (await collect(events)).map(({ data }) => data)
      expect(later.pop()).toBe('[DONE]')
      expect(JSON.parse(later.pop() ?? '')).toEqual({ imported: 20, skipped: 0, chatIds: expect.any(Array) })
      for (const data of later) {
        expect(JSON.parse(data)).toEqual({ progress: { done: expect.any(Number), total: 20 } })
      }
    })

    it('continues when its client disconnects, which joins it again with the same file', async () => {
      const by = slow.api.as(userPrincipal())
      const left = await follow(by)
      await left.next()
      await left.return(undefined)
      const [again, json] = [await follow(by), bring(file, by)]
      expect(read(await again.next())).toEqual({ progress: { done: 0, total: 20 } })
      released.resolve()
      const answer = { imported: 20, skipped: 0 }
      expect((await json).body).toMatchObject(answer)
      const last = (await collect(again)).at(-2)
      expect(JSON.parse(last?.data ?? '')).toMatchObject(answer)
      expect((await by.call(chatRoutes.history)).body).toHaveLength(20)
    })

    it('refuses a file of an unknown kind with a status, also when progress is streamed', async () => {
      const by = slow.api.as(userPrincipal())
      const refused = await by.open('POST', '/api/chat/import', {
        body: { hello: 1 },
        headers: { accept: 'text/event-stream' },
      })
      expect(refused.status).toBe(400)
      await collect(refused.body).catch(() => undefined)
    })
  })

  describe('at two replicas', () => {
    const file = Array.from({ length: 20 }, (_, nth) => chatGpt(`shared-${nth}`))
    const stuckAfter = 8
    /** A replica that stores a few chats and no more until it is released, and another one. */
    const givenReplicas = async (timing: ReplicaOptions['timing'] = {}) => {
      const released = Promise.withResolvers<void>()
      const state = { stored: 0, storedElsewhere: 0, isCutOff: false }
      const first = await given.replica({
        stores: beforeStoring(async () => {
          state.stored += 1
          if (state.stored > stuckAfter) await released.promise
        }),
        cache: (cache) => ({
          ...cache,
          streamLog: {
            ...cache.streamLog,
            async append(...entries) {
              if (state.isCutOff) throw new Error('The engine is unavailable')
              return await cache.streamLog.append(...entries)
            },
          },
        }),
      })
      const countStored = async (): Promise<void> => {
        state.storedElsewhere += 1
      }
      const second = await given.replica({ timing, stores: beforeStoring(countStored) })
      const user = userPrincipal()
      return { at: first.api.as(user), elsewhere: second.api.as(user), state, release: () => released.resolve() }
    }
    /** Follows the import from so many chats on. */
    const followFrom = async (done: number, by: ApiCaller) => {
      const events = await followImport(by, file)
      const wanted = JSON.stringify({ progress: { done, total: file.length } })
      for (let seen = await events.next(); seen.value?.data !== wanted; seen = await events.next()) {
        if (seen.done) throw new Error('The import ended before')
      }
      return events
    }
    const outcomeOf = async (events: ReturnType<typeof readEvents>) =>
      JSON.parse((await collect(events)).at(-2)?.data ?? '')

    it('runs once: a second try at the other replica gets its progress and its outcome', async () => {
      const { at, elsewhere, state, release } = await givenReplicas()
      const first = await followFrom(stuckAfter, at)
      const second = await followFrom(stuckAfter, elsewhere)
      release()
      const [outcome, same] = await Promise.all([outcomeOf(first), outcomeOf(second)])
      expect(outcome).toEqual({ imported: 20, skipped: 0, chatIds: expect.any(Array) })
      expect(same).toEqual(outcome)
      expect(state.storedElsewhere).toBe(0)
    })

    it('is completed by the second try when the replica of the first one is cut off, with no chat stored twice', async () => {
      const { at, elsewhere, state, release } = await givenReplicas({ leaseMs: 1_000 })
      const first = await followFrom(stuckAfter, at)
      const second = await followFrom(stuckAfter, elsewhere)
      state.isCutOff = true
      expect(await outcomeOf(second)).toMatchObject({ imported: 20 - stuckAfter, skipped: stuckAfter })
      release()
      await collect(first)
      expect((await elsewhere.call(chatRoutes.history)).body).toHaveLength(20)
    })
  })

  it('continues like any chat, and brings back one that was deleted for good', async () => {
    await bring(chatGpt())
    const [{ _id: chatId } = { _id: '' }] = await list()
    const next = await send(me, message('Go on', { chatId }))
    expect(
      given.router.calls
        .at(-1)
        ?.body.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['Question', 'Answer one', 'Go on'])
    expect((await detail(chatId)).messages.at(-1)?.id).toBe(next.start.messageId)
    await me.call(chatRoutes.remove, { params: { id: chatId } })
    await expect.poll(() => chat.stores.messages.find(chatId, next.start.messageId)).toBeUndefined()
    await expect.poll(async () => (await bring(chatGpt())).body.imported).toBe(1)
    expect((await detail(chatId)).messages).toHaveLength(2)
  })

  it('of times in the future has no message of the future, as what is done with recent ones would pass them over', async () => {
    const at = '2099-12-31T23:59:59.999Z'
    const messages = ['user', 'assistant', 'user'].map((role, nth) => {
      return { id: `m${nth}`, parentId: nth === 0 ? null : `m${nth - 1}`, role, content: 'x', createdAt: at }
    })
    await bring({
      format: 'parley-chat',
      version: 1,
      chat: { id: 'f', title: 'F', createdAt: at, updatedAt: at },
      messages,
    })
    const [copy] = await list()
    const thread = (await detail(copy?._id ?? '')).messages
    expect(thread).toHaveLength(3)
    const latest = new Date(Date.now() + 60_000).toISOString()
    for (const time of [copy?.createdAt, copy?.updatedAt, ...thread.map(({ createdAt }) => createdAt)])
      expect(String(time) < latest).toBe(true)
  })

  it('of an unknown format is refused whole, with a reason', async () => {
    for (const file of [{}, [], 'text', 7, null, [chatGpt(), { hello: 1 }], { format: 'parley-chat', version: 2 }]) {
      const refused = await me.post('/api/chat/import', file)
      expect([JSON.stringify(file), refused.status]).toEqual([
        JSON.stringify(file),
        JSON.stringify(file) === '[]' ? 200 : 400,
      ])
      if (refused.status === 400)
        expect(refused.body).toMatchObject({ error: expect.stringContaining('can’t be imported') })
    }
    expect(await list()).toEqual([])
  })

  it('survives circles, missing parents, strange ids, times and characters', async () => {
    const file = {
      conversation_id: 'hostile',
      title: 7,
      create_time: 1e300,
      current_node: 'nothing',
      mapping: JSON.parse(
        JSON.stringify(
          Object.fromEntries([
            node('x', 'y', 'user', ['X \u0000 \ud83d']),
            node('y', 'x', 'assistant', ['Y'], { create_time: -5 }),
            node('self', 'self', null, []),
            node('z', 'self', 'user', [{ text: 'Z' }, 5, null], { create_time: 'soon' }),
            node('orphan', 'nobody', 'user', ['O']),
          ]),
        ).replace('"orphan":', '"__proto__":'),
      ),
    }
    expect((await bring(file)).body).toMatchObject({ imported: 1, skipped: 0 })
    const [listed] = await list()
    expect(listed?.messageCount).toBe(4)
    expect(({} as { message?: unknown }).message).toBeUndefined()
  })

  it('refuses more than its limits and accepts a thread of thousands', async () => {
    const thread = (length: number) => ({
      conversationId: `long-${length}`,
      title: 'Long',
      messages: Array.from({ length }, (_, nth) => ({
        messageId: `${nth}`,
        parentMessageId: `${nth - 1}`,
        isCreatedByUser: nth % 2 === 0,
        text: 'x',
      })),
    })
    expect((await bring(thread(100_001))).status).toBe(400)
    expect((await bring(thread(5_000))).body).toMatchObject({ imported: 1, skipped: 0 })
    const [listed] = await list()
    expect((await detail(listed?._id ?? '')).messages).toHaveLength(50)
    const deep = `{"conversationId":"d","messages":[${'{"messageId":"m","children":['.repeat(20_000)}${']}'.repeat(20_000)}]}`
    const taken = await me.post('/api/chat/import', undefined, {
      raw: deep,
      headers: { 'content-type': 'application/json' },
    })
    expect(taken.body).toMatchObject({ imported: 0, skipped: 1 })
  })
})
