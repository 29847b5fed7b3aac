import { chatRoutes } from '@parley/contracts'
import { adminPrincipal, readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CompletionCall, echo, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, readChat, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.router.models.set('locked', modelInfo({ id: 'locked', enabled: false }))
  given.router.models.set('picture', modelInfo({ id: 'picture', modelType: 'image' }))
})
afterAll(() => given.stop())
beforeEach(() => given.router.reset())

const asUser = (user = userPrincipal()) => chat.api.as(user)

describe('a send that is refused', () => {
  it.each([
    ['an unknown model', message('x', { model: 'nope' }), 404, 'not_found'],
    ['a locked model', message('x', { model: 'locked' }), 403, 'model_locked'],
    ['a locked model in an unknown chat', message('x', { model: 'locked', chatId: 'nope' }), 403, 'model_locked'],
    ['an image model', message('x', { model: 'picture' }), 400, 'validation_failed'],
    ['no image', message('x', { attachments: [{ dataUrl: 'data:image/png;base64,AAAA' }] }), 415, 'unsupported_media'],
    ['no message', { model: 'v3' }, 400, 'validation_failed'],
    ['an empty message', message(' \n '), 400, 'validation_failed'],
    ['no model', { message: 'x' }, 400, 'validation_failed'],
    ['an unknown chat', message('x', { chatId: 'nope' }), 404, 'not_found'],
    ['an edit without chat', message('x', { editMessageId: 'abc' }), 400, 'validation_failed'],
    ['an answer to redo without chat', message('x', { regenerateMessageId: 'abc' }), 400, 'validation_failed'],
  ])('for %s costs and stores nothing', async (_name, body, status, code) => {
    const caller = asUser()
    const answer = await caller.post('/api/chat', body)
    expect(answer).toMatchObject({ status, body: { code } })
    expect((await caller.call(chatRoutes.history)).body).toEqual([])
    expect(given.router.calls).toHaveLength(0)
  })

  it('lets an admin use a locked model', async () => {
    const answer = await send(chat.api.as(adminPrincipal()), message('x', { model: 'locked' }))
    expect(answer.status).toBe(200)
    expect(given.router.calls[0]?.body.allowLocked).toBe(true)
    const viewing = await chat.api
      .as(adminPrincipal({ viewAs: true }))
      .post('/api/chat', message('x', { model: 'locked' }))
    expect(viewing).toMatchObject({
      status: 403,
      body: { error: 'This model is currently unavailable. Please select a different model.' },
    })
  })

  it('for want of credits is 402, makes no provider call and keeps the message', async () => {
    const user = userPrincipal()
    given.billing.balances.set(user.userId, 0)
    const answer = await asUser(user).post('/api/chat', message('Broke'))
    expect(answer).toMatchObject({
      status: 402,
      body: { code: 'insufficient_credits', error: 'Insufficient Credits.' },
    })
    expect(given.router.calls).toHaveLength(0)
    const [summary] = (await asUser(user).call(chatRoutes.history)).body
    expect((await readChat(asUser(user), summary?._id ?? '')).messages).toMatchObject([
      { content: 'Broke' },
      { status: 'error', content: '', credits: 0 },
    ])
  })

  it('while billing is unavailable is 503', async () => {
    const user = userPrincipal()
    given.billing.state.away = true
    const answer = await asUser(user).post('/api/chat', message('Nobody home'))
    given.billing.state.away = false
    expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(given.router.calls).toHaveLength(0)
    // Returns a hold that was made although the call failed.
    const ends = () => given.events.filter(({ data }) => 'userId' in data && data.userId === user.userId)
    await untilPasses(() => expect(ends()).toMatchObject([{ data: { outcome: 'error', charge: 0 } }]))
  })
})

describe('a provider that fails', () => {
  it('before its first frame is an HTTP error, gives the hold back and keeps the message', async () => {
    given.router.script = (call) => call.refuse('provider_timeout', 'Response timeout.')
    const user = userPrincipal()
    const answer = await asUser(user).post('/api/chat', message('Slow'))
    expect(answer).toMatchObject({ status: 504, body: { code: 'provider_timeout', error: 'Response timeout.' } })
    expect(given.billing.balances.get(user.userId)).toBe(100)
    const [summary] = (await asUser(user).call(chatRoutes.history)).body
    expect((await readChat(asUser(user), summary?._id ?? '')).messages).toMatchObject([
      { content: 'Slow' },
      { status: 'error', error: 'Response timeout.' },
    ])
  })

  it.each<[string, (call: CompletionCall) => void]>([
    ['tells so', (call) => call.error('The provider broke off.')],
    ['is cut', (call) => call.cut()],
    ['sends garbage', (call) => call.line('{"type":"text","te\n')],
  ])('after text and %s keeps the text as interrupted and charges it', async (_name, breakOff) => {
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      call.text('Half an ans')
      running = call
    }
    const user = userPrincipal()
    const answer = await asUser(user).stream(chatRoutes.send, { body: message('Break') })
    const events = readEvents(answer)
    const { messageId, chatId } = JSON.parse((await events.next()).value?.data ?? '')
    expect((await events.next()).value?.data).toBe('{"text":"Half an ans"}')
    if (running !== undefined) breakOff(running)
    const rest: string[] = []
    for await (const { data } of events) rest.push(data)
    expect(rest).toHaveLength(2)
    expect(JSON.parse(rest[0] ?? '')).toMatchObject({ code: 'provider_error', error: expect.any(String) })
    expect((await readChat(asUser(user), chatId)).messages[1]).toMatchObject({
      content: 'Half an ans',
      status: 'interrupted',
      credits: 1,
    })
    expect(given.billing.holds.get(messageId)).toMatchObject({ captured: 1 })
  })

  it('after its start but without a visible character costs nothing', async () => {
    given.router.script = (call) => {
      call.start()
      call.text(' \n\u200b')
      call.error('Nothing came of it.')
    }
    const user = userPrincipal()
    const { last, start } = await send(asUser(user), message('Nothing'))
    expect(last).toEqual({ error: 'Nothing came of it.', code: 'provider_error' })
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 0 })
  })
})

describe('repeats of a send', () => {
  it('with one clientMessageId make one answer for all', async () => {
    const user = userPrincipal()
    const body = message('Only once', { clientMessageId: 'client-1' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(asUser(user), body)))
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1)
    expect(given.router.calls).toHaveLength(1)
    expect(given.billing.balances.get(user.userId)).toBe(99)
    // As a page sends it again at the wish of its user.
    const later = await send(asUser(user), { ...body, force: true })
    expect(later.data).toEqual(answers[0]?.data)
    expect((await asUser(user).call(chatRoutes.history)).body).toHaveLength(1)
    const { messages } = await readChat(asUser(user), later.start.chatId)
    expect(messages).toHaveLength(2)
    expect(messages[0]).toMatchObject({ clientMessageId: 'client-1' })
  })

  it('by another user with the same ids get an answer of their own', async () => {
    const body = message('Hello', { clientMessageId: 'of-both' })
    const answers = await Promise.all([userPrincipal(), userPrincipal()].map((user) => send(asUser(user), body)))
    expect(new Set(answers.map(({ start }) => start.messageId)).size).toBe(2)
    expect(given.router.calls).toHaveLength(2)
  })

  it('with one Idempotency-Key make one answer for all', async () => {
    const user = userPrincipal()
    const key = { 'idempotency-key': 'a key of theirs'.replaceAll(' ', '-') }
    const first = await send(asUser(user), message('Keyed'), key)
    const second = await send(asUser(user), message('Keyed'), key)
    expect(second.data).toEqual(first.data)
    const other = await asUser(user).post('/api/chat', message('Another'), { headers: key })
    expect(other).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(given.router.calls).toHaveLength(1)
  })

  it('with another body are refused', async () => {
    const user = userPrincipal()
    await send(asUser(user), message('One', { clientMessageId: 'same' }))
    const other = await asUser(user).post('/api/chat', message('Two', { clientMessageId: 'same' }))
    expect(other).toMatchObject({ status: 409, body: { code: 'duplicate_message' } })
    const stranger = await send(asUser(), message('Two', { clientMessageId: 'same' }))
    expect(stranger.status).toBe(200)
  })

  it('that began a chat are refused once it is deleted for good, and do not begin it again', async () => {
    const hasty = await given.replica({ timing: { restoreMs: 0 } })
    const caller = hasty.api.as(userPrincipal())
    const body = message('Gone', { clientMessageId: 'gone' })
    const { start } = await send(caller, body)
    await caller.call(chatRoutes.remove, { params: { id: start.chatId } })
    await untilPasses(async () => {
      expect(await caller.post('/api/chat', body)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    })
    expect((await caller.call(chatRoutes.history)).body).toEqual([])
    expect(given.router.calls).toHaveLength(1)
  })

  it('retry what failed free of charge, under the same message', async () => {
    const user = userPrincipal()
    const body = message('Again', { clientMessageId: 'again' })
    given.billing.balances.set(user.userId, 0)
    expect((await asUser(user).post('/api/chat', body)).status).toBe(402)
    given.billing.balances.set(user.userId, 1)
    given.router.script = (call) => call.refuse('provider_error', 'Broken')
    expect((await asUser(user).post('/api/chat', body)).status).toBe(502)
    given.router.script = echo
    const { start, text } = await send(asUser(user), body)
    expect(text).toBe('You said: Again')
    expect(given.billing.balances.get(user.userId)).toBe(0)
    const { messages } = await readChat(asUser(user), start.chatId)
    expect(messages.map(({ content }) => content)).toEqual(['Again', 'You said: Again'])
    expect((await asUser(user).call(chatRoutes.history)).body).toHaveLength(1)
  })
})

describe('two sends in one chat', () => {
  it('while an answer is written: the second is refused, leaves nothing, and can be repeated afterwards', async () => {
    const caller = asUser()
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      call.text('First')
      running = call
    }
    const first = readEvents(await caller.stream(chatRoutes.send, { body: message('One') }))
    const { chatId } = JSON.parse((await first.next()).value?.data ?? '')
    const second = message('Two', { chatId, clientMessageId: 'from-another-tab' })
    expect(await caller.post('/api/chat', second)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const redo = message('Two', { chatId, editMessageId: (await readChat(caller, chatId)).messages[0]?.id ?? '' })
    expect((await caller.post('/api/chat', redo)).status).toBe(409)
    expect((await readChat(caller, chatId)).messages).toHaveLength(2)
    running?.end()
    for await (const _event of first) {
      // To its end.
    }
    given.router.script = echo
    await send(caller, second)
    const { messages } = await readChat(caller, chatId)
    expect(messages.map(({ content }) => content)).toEqual(['One', 'First', 'Two', 'You said: Two'])
    expect(messages.every(({ versions }) => versions === undefined)).toBe(true)
  })

  it('at the same moment never become versions of each other', async () => {
    const user = userPrincipal()
    const two = await given.replica()
    const { start } = await send(asUser(user), message('Zero'))
    const bodies = Array.from({ length: 12 }, (_, nth) => message(`Number ${nth}`, { chatId: start.chatId }))
    const statuses = await Promise.all(
      bodies.map(async (body, nth) => (await (nth % 2 ? chat : two).api.as(user).post('/api/chat', body)).status),
    )
    const accepted = statuses.filter((status) => status === 200).length
    expect(accepted).toBeGreaterThan(0)
    expect(statuses.filter((status) => status === 409)).toHaveLength(12 - accepted)
    const { messages } = await readChat(asUser(user), start.chatId)
    expect(messages).toHaveLength(2 + 2 * accepted)
    expect(messages.every(({ versions }) => versions === undefined)).toBe(true)
    expect(messages.map(({ role }) => role)).toEqual(messages.map((_message, nth) => (nth % 2 ? 'assistant' : 'user')))
  })
})
