import { type ChatDetail, chatInternalRoutes, chatRoutes, type SignalPayload } from '@parley/contracts'
import { type ApiCaller, guestPrincipal, servicePrincipal, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CompletionCall, echo, modelInfo, usage } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, resume, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
let other: Replica
let me: ApiCaller
let user: ReturnType<typeof userPrincipal>
const told: SignalPayload<'chat-changed'>[] = []
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  other = await given.replica()
  given.signal.subscribe('chat-changed', (change) => told.push(change))
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.reset()
  user = userPrincipal()
  me = chat.api.as(user)
})

const says =
  (text: string, finish: 'stop' | 'length' = 'stop') =>
  (call: CompletionCall): void => {
    call.start()
    call.text(text)
    call.end(finish)
  }
const detail = async (id: string, by = me): Promise<ChatDetail> =>
  (await by.call(chatRoutes.get, { params: { id } })).body
const answerOf = async (id: string) => (await detail(id)).messages.at(-1)
const restOf = (chatId: string, continueMessageId: string, more = {}) => ({
  ...{ model: 'v3', chatId, continueMessageId },
  ...more,
})
const charges = (id: string) => given.events.filter(({ key }) => key === id).map(({ data }) => data)

/** An answer that reached its length limit. */
async function cutShort(text = 'The quick brown', by = me) {
  given.router.script = says(text, 'length')
  const { start } = await send(by, message('Tell me'))
  return start
}

describe('an answer that was cut short', () => {
  it('goes on in the same message, whose stream begins with what there was', async () => {
    const { chatId, messageId, userMessageId } = await cutShort()
    given.router.script = says(' fox jumps.')
    const { start, text, last, ids } = await send(me, restOf(chatId, messageId))
    expect(start).toMatchObject({ chatId, messageId, userMessageId, generationId: expect.any(String) })
    expect(text).toBe('The quick brown fox jumps.')
    expect(last).toMatchObject({ done: true, messageId, finishReason: 'stop', credits: { charged: 1, remaining: 98 } })
    expect(ids).toEqual(ids.map((_id, index) => index + 1))
    const { messages, ...rest } = await detail(chatId)
    expect(rest).not.toHaveProperty('generating')
    expect(messages).toHaveLength(2)
    expect(messages[1]).toMatchObject({
      ...{ id: messageId, content: 'The quick brown fox jumps.', status: 'complete', finishReason: 'stop', credits: 2 },
      usage: { inputTokens: 22, outputTokens: 14, estimated: false },
      generations: [
        { id: messageId, model: 'v3', credits: 1, usage },
        { id: (start as { generationId?: string }).generationId, model: 'v3', credits: 1, usage },
      ],
    })
    expect(messages[1]).not.toHaveProperty('versions')
    // By the generation's id no window would know which answer is delayed.
    expect(given.router.calls.at(-1)?.body).toMatchObject({
      generationId: (start as { generationId?: string }).generationId,
      watcher: { chatId, messageId },
    })
  })

  it('is charged by generation, each with its own hold and event', async () => {
    const { chatId, messageId } = await cutShort()
    given.router.models.set('dear', modelInfo({ id: 'dear', creditsPerMessage: 3 }))
    given.router.script = (call) => {
      call.start({ creditsPerMessage: 3 })
      call.text(' fox')
      call.end()
    }
    const { start } = await send(me, restOf(chatId, messageId, { model: 'dear' }))
    const { generationId = '' } = start as { generationId?: string }
    expect(given.billing.holds.get(messageId)).toMatchObject({ captured: 1 })
    expect(given.billing.holds.get(generationId)).toMatchObject({ amount: 3, captured: 3 })
    await untilPasses(() => expect(charges(generationId)).toHaveLength(1))
    expect(charges(generationId)).toMatchObject([{ generationId, chatId, charge: 3, outcome: 'complete', usage }])
    await untilPasses(() => expect(charges(messageId)).toHaveLength(1))
    expect(await answerOf(chatId)).toMatchObject({ credits: 4 })
  })

  it('is requested with its own text after the question, and loses the words that the model repeats', async () => {
    const { chatId, messageId } = await cutShort('One. The quick brown fox')
    given.router.script = says('The quick brown fox jumps over.')
    expect((await send(me, restOf(chatId, messageId))).text).toBe('One. The quick brown fox jumps over.')
    const asked = given.router.calls.at(-1)?.body.messages.slice(1)
    expect(asked).toMatchObject([
      { role: 'user', content: 'Tell me' },
      { role: 'assistant', content: 'One. The quick brown fox' },
      { role: 'user' },
    ])
    // A few words may be meant, although they are there before.
    const song = await cutShort('Row, row, row')
    given.router.script = says(', row')
    expect((await send(me, restOf(song.chatId, song.messageId))).text).toBe('Row, row, row, row')
  })

  it('can be continued each time it is cut short again, and followed and regenerated afterwards', async () => {
    const { chatId, messageId, userMessageId } = await cutShort('One')
    given.router.script = says(' two', 'length')
    await send(me, restOf(chatId, messageId))
    given.router.script = says(' three')
    expect((await send(me, restOf(chatId, messageId))).text).toBe('One two three')
    expect(await answerOf(chatId)).toMatchObject({ content: 'One two three', credits: 3 })
    given.router.script = echo
    await send(me, message('And?', { chatId }))
    expect((await send(me, restOf(chatId, messageId))).status).toBe(400)
    await send(me, message('', { chatId, regenerateMessageId: messageId }))
    const [, redone] = (await detail(chatId)).messages
    expect(redone).toMatchObject({ content: 'You said: Tell me', parentId: userMessageId })
    expect(redone?.versions).toContain(messageId)
  })

  it('joins a repeat of its send, also after the end, on any replica', async () => {
    const { chatId, messageId } = await cutShort()
    given.router.script = says(' fox')
    const body = restOf(chatId, messageId, { clientMessageId: `again-${messageId}` })
    const [one, two] = await Promise.all([send(me, body), send(other.api.as(user), body)])
    expect(two.data).toEqual(one.data)
    expect((await send(me, body)).data).toEqual(one.data)
    expect(given.router.calls).toHaveLength(2)
    expect(await answerOf(chatId)).toMatchObject({ content: 'The quick brown fox', credits: 2 })
  })

  it("is found by a search, exported and read as JSON with its whole text, which counts towards its owner's storage", async () => {
    const { chatId, messageId } = await cutShort('Begin ')
    const before = (await me.call(chatRoutes.usage)).body.bytes.used
    given.router.script = says('zebrafinch')
    const json = await me.post('/api/chat', restOf(chatId, messageId), { headers: { accept: 'application/json' } })
    expect(json.body).toMatchObject({ messageId, content: 'Begin zebrafinch', credits: { charged: 1 } })
    expect((await me.call(chatRoutes.usage)).body.bytes.used).toBe(before + 'zebrafinch'.length)
    const found = await me.call(chatRoutes.history, { query: { query: 'zebrafinch' } })
    expect(found.body).toMatchObject([{ _id: chatId, match: { messageId } }])
    const info = await me.call(chatRoutes.info, { params: { id: chatId } })
    expect(info.body).toMatchObject({ messages: { total: 2 }, tokens: { input: 22, output: 14 } })
    const file = await me.get(`/api/chat/history/${chatId}/export?format=md`)
    expect(file.text).toContain('Begin zebrafinch')
  })
})

describe('while an answer goes on', () => {
  /** A continuation that stands still after some text. */
  async function going() {
    const start = await cutShort()
    const body = restOf(start.chatId, start.messageId, { clientMessageId: `go-${start.messageId}` })
    given.router.script = (call) => {
      call.start()
      call.text(' fox')
    }
    const answer = send(me, body)
    await untilPasses(async () =>
      expect(await answerOf(start.chatId)).toMatchObject({ content: 'The quick brown fox' }),
    )
    return { ...start, body, answer, call: given.router.calls.at(-1) as CompletionCall }
  }

  it('it is generating with its text, another tab follows it by its generation, and a new message waits (409)', async () => {
    const { chatId, messageId, answer, call } = await going()
    const { messages, generating } = await detail(chatId)
    expect(messages).toMatchObject([{}, { id: messageId, status: 'generating' }])
    expect(generating).toEqual({ messageId, generationId: messages[1]?.generationId })
    const params = { params: { id: chatId }, query: { userId: user.userId } }
    const live = await chat.api.as(servicePrincipal('realtime')).call(chatInternalRoutes.live, params)
    expect(live.body.generating).toMatchObject({ ...generating, lastEventId: 3, content: 'The quick brown fox' })
    await untilPasses(() => expect(told).toContainEqual(expect.objectContaining({ kind: 'generation', ...generating })))
    for (const body of [message('Wait', { chatId }), restOf(chatId, messageId)]) {
      expect((await me.post('/api/chat', body)).status).toBe(409)
    }
    const follower = resume(other.api.as(user), generating?.generationId ?? '', 2)
    const fromStart = resume(other.api.as(user), messageId)
    call.text(' jumps')
    call.end()
    expect((await answer).text).toBe('The quick brown fox jumps')
    expect((await follower).text).toBe(' fox jumps')
    expect((await fromStart).data).toEqual((await answer).data)
  })

  it('it holds up no other send, however many were sent to continue it at once: one does, the others are refused (409)', async () => {
    const { chatId, messageId } = await cutShort()
    const find = vi.fn()
    const crowded = await given.replica({
      stores: ({ generations, ...stores }) => ({
        ...stores,
        generations: {
          ...generations,
          find: async (...asked) => await generations.find(...asked).finally(() => find(asked[0])),
        },
      }),
    })
    const calls: CompletionCall[] = []
    given.router.script = (call) => {
      if (call.body.model === 'v3') return echo(call)
      calls.push(call)
      call.start()
    }
    const model = `model-${messageId}`
    given.router.models.set(model, modelInfo({ id: model }))
    // All have seen the answer as one that ended before the first of them begins.
    const { promise: seen, resolve: proceed } = Promise.withResolvers<void>()
    given.router.informing = seen
    const by = crowded.api.as(user)
    const sent = Promise.all(
      Array.from({ length: 30 }, () => by.post('/api/chat', restOf(chatId, messageId, { model }))),
    )
    await untilPasses(() => expect(find.mock.calls.filter(([id]) => id === messageId)).toHaveLength(30))
    proceed()
    await untilPasses(() => expect(calls).toHaveLength(1))
    const bystander = crowded.api.as(userPrincipal())
    expect((await send(bystander, message('Hi'))).text).toBe('You said: Hi')
    calls[0]?.text(' fox')
    calls[0]?.end()
    const statuses = (await sent).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(29)
  })

  it('a stop by its id keeps what came, which is charged', async () => {
    const { chatId, messageId, answer } = await going()
    expect(await me.call(chatRoutes.stop, { params: { id: messageId } })).toMatchObject({ status: 200 })
    expect((await answer).last).toMatchObject({ finishReason: 'stopped', credits: { charged: 1 } })
    expect(await answerOf(chatId)).toMatchObject({ content: 'The quick brown fox', status: 'complete', credits: 2 })
  })

  it('a failure keeps what came, marks it as interrupted and charges it', async () => {
    const { chatId, answer, call } = await going()
    call.error('It broke')
    expect((await answer).last).toMatchObject({ error: 'It broke' })
    expect(await answerOf(chatId)).toMatchObject({ content: 'The quick brown fox', status: 'interrupted', credits: 2 })
  })

  it('its log may be lost: readers go on from the store, to the same text', async () => {
    const { messageId, answer, call } = await going()
    await given.logs.forget()
    call.text(' jumps')
    call.end()
    expect((await answer).text).toBe('The quick brown fox jumps')
    expect((await resume(me, messageId)).text).toBe('The quick brown fox jumps')
  })
})

describe('a continuation that yields nothing', () => {
  const stands = { content: 'The quick brown', status: 'complete', finishReason: 'length', credits: 1, model: 'v3' }

  it('is free, leaves the answer as it was, and may be tried again', async () => {
    const { chatId, messageId } = await cutShort()
    const before = await answerOf(chatId)
    given.router.script = (call) => call.refuse('provider_error', 'Nobody answers')
    const body = restOf(chatId, messageId, { clientMessageId: `retry-${messageId}` })
    expect(await me.post('/api/chat', body)).toMatchObject({ status: 502 })
    expect(await answerOf(chatId)).toEqual(before)
    expect(before).toMatchObject(stands)
    expect([...given.billing.holds.values()].filter(({ userId }) => userId === user.userId)).toMatchObject([
      { captured: 1 },
      { captured: 0 },
    ])
    given.router.script = says(' fox')
    expect((await send(me, body)).text).toBe('The quick brown fox')
    expect(await answerOf(chatId)).toMatchObject({ content: 'The quick brown fox', credits: 2 })
  })

  it('after its stream began ends the stream with the model’s error', async () => {
    const { chatId, messageId } = await cutShort()
    given.router.script = (call) => {
      call.start()
      call.reasoning('Hm')
      call.error('It broke')
    }
    const { text, last } = await send(me, restOf(chatId, messageId))
    expect(text).toBe('The quick brown')
    expect(last).toMatchObject({ error: 'It broke' })
    expect(await answerOf(chatId)).toMatchObject(stands)
    expect(await answerOf(chatId)).not.toHaveProperty('reasoning')
  })

  it('for want of credits is refused (402)', async () => {
    const { chatId, messageId } = await cutShort()
    given.billing.balances.set(user.userId, 0)
    expect(await me.post('/api/chat', restOf(chatId, messageId))).toMatchObject({ status: 402 })
    expect(await answerOf(chatId)).toMatchObject(stands)
  })
})

describe('an answer cannot be continued', () => {
  it('that ended by itself (400), or with another version at once', async () => {
    const { start } = await send(me, message('Hi'))
    const { chatId, messageId } = start
    expect(await me.post('/api/chat', restOf(chatId, messageId))).toMatchObject({ status: 400 })
    const both = restOf(chatId, messageId, { regenerateMessageId: messageId })
    expect(await me.post('/api/chat', both)).toMatchObject({ status: 400 })
    expect(await me.post('/api/chat', { model: 'v3', continueMessageId: messageId })).toMatchObject({ status: 400 })
  })

  it("of another user, or by another chat's id, as if there were none (404)", async () => {
    const { chatId, messageId } = await cutShort()
    const stranger = chat.api.as(userPrincipal())
    const missing = await stranger.post('/api/chat', restOf('nope', 'nope'))
    const others = await stranger.post('/api/chat', restOf(chatId, messageId))
    expect(others.status).toBe(404)
    const told = ({ body }: { body: unknown }) => ({ ...(body as object), requestId: '' })
    expect(told(others)).toEqual(told(missing))
    const { start } = await send(stranger, message('Mine'))
    expect((await stranger.post('/api/chat', restOf(start.chatId, messageId))).status).toBe(404)
    expect(given.router.calls).toHaveLength(2)
  })

  it('by the id of one of its generations (404)', async () => {
    const { chatId, messageId } = await cutShort()
    given.router.script = says(' fox', 'length')
    const { start } = await send(me, restOf(chatId, messageId))
    const { generationId = '' } = start as { generationId?: string }
    expect((await me.post('/api/chat', restOf(chatId, generationId))).status).toBe(404)
  })

  it('that is followed by other messages (409)', async () => {
    const { chatId, messageId } = await cutShort()
    given.router.script = echo
    await send(me, message('On', { chatId }))
    expect(await me.post('/api/chat', restOf(chatId, messageId))).toMatchObject({ status: 409 })
  })
})

it('a guest continues an answer for one message of the allowance', async () => {
  const guest = chat.api.as(guestPrincipal())
  given.router.script = says('The quick brown', 'length')
  const first = await send(guest, { message: 'Tell me' })
  const headers = { 'x-guest-session-id': String(first.headers['x-guest-session-id']) }
  given.router.script = says(' fox')
  const messages = [
    { role: 'user', content: 'Tell me' },
    { role: 'assistant', content: 'The quick brown' },
  ]
  const body = { messages, continueMessageId: first.start.messageId }
  const second = await send(guest, body, headers)
  expect(second.text).toBe('The quick brown fox')
  expect(given.router.calls.at(-1)?.body.messages.slice(1, 3)).toEqual(messages)
  const left = (answer: typeof first) => Number(answer.headers['x-guest-remaining-messages'])
  expect(left(second)).toBe(left(first) - 1)
  const stranger = { 'x-guest-session-id': '' }
  expect((await guest.post('/api/chat', body, { headers: stranger })).status).toBe(404)
})
