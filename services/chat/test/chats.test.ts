import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CompletionCall } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let me: ApiCaller
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.reset()
  me = chat.api.as(userPrincipal())
})

const list = async (query?: string) =>
  (await me.call(chatRoutes.history, query === undefined ? {} : { query: { query } })).body
const detail = async (id: string, query: Record<string, string> = {}) =>
  (await me.call(chatRoutes.get, { params: { id }, query })).body
const prompt = () => given.router.calls.at(-1)?.body.messages ?? []

describe('the list of chats', () => {
  it('is a plain array, the chat written to last first', async () => {
    const first = await send(me, message('First'))
    const second = await send(me, message('Second'))
    await send(me, message('More', { chatId: first.start.chatId }))
    expect(await list()).toMatchObject([
      { _id: first.start.chatId, title: 'First', messageCount: 4, pinned: false, modelUsed: 'v3' },
      { _id: second.start.chatId, title: 'Second', messageCount: 2 },
    ])
  })

  it('comes in pages, whose cursors lead through all of it once, also with the pinned chats first', async () => {
    for (let nth = 1; nth <= 5; nth += 1)
      await me.call(chatRoutes.create, { body: { title: `Chat ${nth}`, model: 'v3' } })
    const all = await list()
    const [, second, , fourth] = all
    for (const chat of [second, fourth]) {
      await me.call(chatRoutes.pin, { params: { id: chat?._id ?? '' }, body: { pinned: true } })
    }
    const pages = async (query: string) => {
      const sizes: number[] = []
      const ids: string[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await me.get(`/api/chat/history?${query}${cursor}`)
        expect(page.status).toBe(200)
        const chats = page.body as { _id: string }[]
        sizes.push(chats.length)
        ids.push(...chats.map(({ _id }) => _id))
        const next = page.headers['x-next-cursor']
        cursor = next === undefined ? undefined : `&cursor=${encodeURIComponent(String(next))}`
      }
      return { sizes, ids }
    }
    const ids = all.map(({ _id }) => _id)
    expect(await pages('limit=2')).toEqual({ sizes: [2, 2, 1], ids })
    expect(await pages('limit=5')).toEqual({ sizes: [5], ids })
    expect(await pages('')).toEqual({ sizes: [5], ids })
    expect(await pages('query=chat&limit=3')).toEqual({ sizes: [3, 2], ids })
    const pinned = [ids[1], ids[3], ids[0], ids[2], ids[4]]
    expect(await pages('limit=2&pinnedFirst=true')).toEqual({ sizes: [2, 2, 1], ids: pinned })
    expect(await pages('limit=1&pinnedFirst=true')).toEqual({ sizes: [1, 1, 1, 1, 1], ids: pinned })
    for (const wrong of ['limit=0', 'limit=201', 'limit=2&cursor=x', 'limit=2&cursor=1.5.x', 'pinnedFirst=perhaps']) {
      expect(await me.get(`/api/chat/history?${wrong}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      })
    }
  })

  it('finds words in titles and messages, taken literally and in any case', async () => {
    const percent = await send(me, message('It is 100% sure'))
    const under = await send(me, message('snake_case'))
    await send(me, message('Something else'))
    const ids = async (query: string) => (await list(query)).map(({ _id }) => _id)
    expect(await ids('100% SURE')).toEqual([percent.start.chatId])
    expect(await ids('e_c')).toEqual([under.start.chatId])
    expect(await ids('%')).toEqual([percent.start.chatId])
    expect(await ids('_')).toEqual([under.start.chatId])
    expect(await ids('\\')).toEqual([])
    expect(await ids('you said')).toHaveLength(3)
    expect(await ids(' ')).toHaveLength(3)
    expect(await chat.api.as(userPrincipal()).call(chatRoutes.history, { query: { query: 'sure' } })).toMatchObject({
      body: [],
    })
  })

  it('titles a chat by the first 50 characters of its message', async () => {
    const long = `  ${'😀'.repeat(30)} and\n\n  then   ${'x'.repeat(40)}`
    const { start } = await send(me, message(long))
    expect(start.title).toBe(`${'😀'.repeat(30)} and then ${'x'.repeat(10)}…`)
    expect((await list())[0]?.title).toBe(start.title)
    const named = await send(me, message('Anything', { title: 'Its own' }))
    expect(named.start.title).toBe('Its own')
  })
})

describe('a chat', () => {
  it('is created empty, renamed and pinned', async () => {
    const made = await me.call(chatRoutes.create, { body: { title: ' New ', model: 'v3' } })
    expect(made).toMatchObject({ status: 201, body: { title: 'New', model: 'v3' } })
    const params = { id: made.body.chatId }
    expect((await me.call(chatRoutes.rename, { params, body: { title: 'Newer' } })).body).toEqual({
      chatId: params.id,
      title: 'Newer',
    })
    await me.call(chatRoutes.pin, { params, body: { pinned: true } })
    expect(await list()).toMatchObject([{ _id: params.id, title: 'Newer', pinned: true, messageCount: 0 }])
    expect(await detail(params.id)).toMatchObject({ messages: [], hasMore: false })
    const { start } = await send(me, message('Into it', { chatId: params.id }))
    expect(start).toMatchObject({ chatId: params.id })
    expect(start.event).toBeUndefined()
  })

  it('is read in pages from its end', async () => {
    const { start } = await send(me, message('Message 1'))
    for (let turn = 2; turn <= 4; turn += 1) await send(me, message(`Message ${turn}`, { chatId: start.chatId }))
    const last = await detail(start.chatId, { limit: '3' })
    expect(last.messages.map(({ content }) => content)).toEqual([
      'You said: Message 3',
      'Message 4',
      'You said: Message 4',
    ])
    expect(last.hasMore).toBe(true)
    const before = await detail(start.chatId, { limit: '5', before: last.messages[0]?.id ?? '' })
    expect(before.messages.map(({ content }) => content)).toEqual([
      'Message 1',
      'You said: Message 1',
      'Message 2',
      'You said: Message 2',
      'Message 3',
    ])
    expect(before.hasMore).toBe(false)
    const first = await detail(start.chatId, { before: start.userMessageId })
    expect(first).toMatchObject({ messages: [], hasMore: false })
    const unknown = await me.get(`/api/chat/history/${start.chatId}?before=nope`)
    expect(unknown.status).toBe(404)
  })

  it('names its running answer', async () => {
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      running = call
    }
    const answer = send(me, message('Run'))
    await untilPasses(() => expect(running).toBeDefined())
    const [summary] = await list()
    const { generating, messages } = await detail(summary?._id ?? '')
    expect(messages.at(-1)).toMatchObject({ id: generating?.messageId, status: 'generating' })
    running?.end()
    const { start } = await answer
    expect(generating?.messageId).toBe(start.messageId)
    expect((await detail(start.chatId)).generating).toBeUndefined()
  })

  it('gives the model its history, cleaned, under the system prompt', async () => {
    given.auth.settings.systemPrompt = 'Be brief.'
    await given.signal.publish('settings-changed', { version: 2 })
    const { start } = await send(me, message('Hello hello there!!!'))
    await send(me, message('And soooo?', { chatId: start.chatId }))
    expect(prompt()).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello there!' },
      { role: 'assistant', content: 'You said: Hello there!' },
      { role: 'user', content: 'And soo?' },
    ])
    const { messages } = await detail(start.chatId)
    expect(messages[0]?.content).toBe('Hello hello there!!!')
  })
})

describe('versions in a chat', () => {
  it('of an answer are made by regenerating it', async () => {
    const { start } = await send(me, message('Question'))
    given.router.script = (call) => {
      call.start()
      call.text('Better')
      call.end()
    }
    const again = await send(me, message('ignored', { chatId: start.chatId, regenerateMessageId: start.messageId }))
    expect(again.start.userMessageId).toBe(start.userMessageId)
    expect(prompt().slice(1)).toEqual([{ role: 'user', content: 'Question' }])
    const { messages } = await detail(start.chatId)
    expect(messages).toMatchObject([
      { id: start.userMessageId },
      { id: again.start.messageId, content: 'Better', versions: [start.messageId, again.start.messageId] },
    ])
    expect(messages[0]?.versions).toBeUndefined()
  })

  it('of a message are made by editing it, and what followed belongs to the old one', async () => {
    const { start } = await send(me, message('One'))
    const second = await send(me, message('Two', { chatId: start.chatId }))
    await send(me, message('Three', { chatId: start.chatId }))
    const edited = await send(
      me,
      message('Two, edited', { chatId: start.chatId, editMessageId: second.start.userMessageId }),
    )
    expect(
      prompt()
        .slice(1)
        .map(({ content }) => content),
    ).toEqual(['One', 'You said: One', 'Two, edited'])
    const { messages } = await detail(start.chatId)
    expect(messages.map(({ content }) => content)).toEqual([
      'One',
      'You said: One',
      'Two, edited',
      'You said: Two, edited',
    ])
    expect(messages[2]?.versions).toEqual([second.start.userMessageId, edited.start.userMessageId])
    const first = await send(me, message('One, edited', { chatId: start.chatId, editMessageId: start.userMessageId }))
    expect((await detail(start.chatId)).messages).toMatchObject([
      { content: 'One, edited', versions: [start.userMessageId, first.start.userMessageId] },
      {},
    ])
  })

  it('are refused for a missing message (404), one of the other role (404), or one still being written (409)', async () => {
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      running = call
    }
    const answer = send(me, message('Run'))
    await untilPasses(() => expect(running).toBeDefined())
    const [summary] = await list()
    const chatId = summary?._id ?? ''
    const [question, generating] = (await detail(chatId)).messages
    const ask = (more: object) => me.post('/api/chat', { ...message('x'), chatId, ...more })
    expect(await ask({ regenerateMessageId: generating?.id })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await ask({ regenerateMessageId: question?.id })).status).toBe(404)
    expect((await ask({ editMessageId: generating?.id })).status).toBe(404)
    expect((await ask({ editMessageId: 'nope' })).status).toBe(404)
    running?.end()
    await answer
  })
})

describe('deleting chats', () => {
  it('hides a chat at once and can be undone for a while', async () => {
    const { start } = await send(me, message('Keep me'))
    const params = { id: start.chatId }
    expect((await me.call(chatRoutes.remove, { params })).status).toBe(200)
    expect(await list()).toEqual([])
    expect((await me.call(chatRoutes.get, { params })).status).toBe(404)
    expect((await me.post('/api/chat', message('x', { chatId: start.chatId }))).status).toBe(404)
    expect((await me.call(chatRoutes.remove, { params })).status).toBe(404)
    expect((await me.call(chatRoutes.restore, { params })).body).toEqual({ chatId: start.chatId })
    expect((await detail(start.chatId)).messages).toHaveLength(2)
    expect((await me.call(chatRoutes.restore, { params })).status).toBe(404)
  })

  it('is undone when its file is imported again', async () => {
    const file = {
      conversationId: 'undone',
      title: 'Undone',
      messages: [{ messageId: 'm', isCreatedByUser: true, text: 'Hello' }],
    }
    const bring = async () => (await me.call(chatRoutes.importChats, { body: file, query: { chatIds: 'true' } })).body
    const { chatIds: [id = ''] = [] } = await bring()
    await send(me, message('Go on', { chatId: id }))
    await me.call(chatRoutes.remove, { params: { id } })
    expect(await bring()).toEqual({ imported: 1, skipped: 0, chatIds: [id] })
    expect((await detail(id)).messages).toHaveLength(3)
    expect((await list()).map(({ _id }) => _id)).toEqual([id])
    expect(await bring()).toEqual({ imported: 0, skipped: 1, chatIds: [id] })
  })

  it('is final afterwards, messages included', async () => {
    const { start } = await send(me, message('Forget me'))
    const params = { id: start.chatId }
    await me.call(chatRoutes.remove, { params })
    const hasty = await given.replica({ timing: { restoreMs: 0 } })
    await untilPasses(async () =>
      expect(await chat.stores.messages.find(start.chatId, start.messageId)).toBeUndefined(),
    )
    expect((await me.call(chatRoutes.restore, { params })).status).toBe(404)
    expect((await me.get(`/api/chat/stream/${start.messageId}`)).status).toBe(404)
    await hasty.stop()
  })

  it("takes several ids, and treats another user's chat like a missing one", async () => {
    const [one, two] = [await send(me, message('One')), await send(me, message('Two'))]
    const foreigner = chat.api.as(userPrincipal())
    const foreign = await send(foreigner, message('Foreign'))
    const ids = [one.start.chatId, foreign.start.chatId, 'missing', two.start.chatId, one.start.chatId]
    expect((await me.call(chatRoutes.bulkRemove, { body: { ids } })).body).toEqual({
      deleted: [one.start.chatId, two.start.chatId],
      notFound: [foreign.start.chatId, 'missing'],
      unauthorized: [],
    })
    expect((await foreigner.call(chatRoutes.history)).body).toHaveLength(1)
    expect((await me.call(chatRoutes.bulkRemove, { body: { ids: [] } })).body.deleted).toEqual([])
  })

  it('can delete all chats', async () => {
    await send(me, message('One'))
    await send(me, message('Two'))
    expect((await me.call(chatRoutes.clear)).body).toEqual({ deleted: 2 })
    expect(await list()).toEqual([])
  })
})

it("another user's chat answers every call like a missing one, to the byte (404)", async () => {
  const { start } = await send(chat.api.as(userPrincipal()), message('Theirs'))
  const stranger = chat.api.as(userPrincipal(), { 'x-request-id': 'one-request' })
  const calls: ((id: string) => ReturnType<ApiCaller['get']>)[] = [
    (id) => stranger.get(`/api/chat/history/${id}`),
    (id) => stranger.put(`/api/chat/history/${id}/rename`, { title: 'Mine now' }),
    (id) => stranger.put(`/api/chat/history/${id}/pin`, { pinned: true }),
    (id) => stranger.delete(`/api/chat/history/${id}`),
    (id) => stranger.post(`/api/chat/history/${id}/restore`),
    (id) => stranger.post('/api/chat', message('x', { chatId: id })),
    (id) => stranger.post('/api/chat', message('x', { chatId: id, regenerateMessageId: start.messageId })),
    (id) => stranger.post('/api/chat', message('x', { chatId: id, editMessageId: start.userMessageId })),
  ]
  for (const call of calls) {
    const [foreign, missing] = [await call(start.chatId), await call('ffffffffffffffff')]
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(missing.text)
  }
  const own = await send(stranger, message('Own'))
  const crossed = await stranger.post(
    '/api/chat',
    message('x', { chatId: own.start.chatId, regenerateMessageId: start.messageId }),
  )
  expect(crossed.status).toBe(404)
  expect(given.router.calls.map(({ body }) => body.messages.at(-1)?.content)).toEqual(['Theirs', 'Own'])
})
