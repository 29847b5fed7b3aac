import { chatRoutes, streamEnd } from '@parley/contracts'
import { collect, readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cutOffStores } from './cut-off.ts'
import { type CompletionCall, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, readChat, resume, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.router.models.set('small', modelInfo({ id: 'small', contextLength: 100 }))
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.reset()
  given.billing.state.away = false
})

const finished = (messageId: string) => given.events.find(({ key }) => key === messageId)?.data

describe('the price of an answer', () => {
  it('is never more than that of the requested model, however expensive the answering one', async () => {
    given.router.script = (call) => {
      call.start({ model: 'dear', creditsPerMessage: 5 })
      call.text('From a dear fallback')
      call.end()
    }
    const { start, last } = await send(chat.api.as(userPrincipal()), message('Cheap please'))
    expect(start.model).toBe('dear')
    expect(last.credits).toEqual({ charged: 1, remaining: 99 })
    await untilPasses(() => expect(finished(start.messageId)).toMatchObject({ charge: 1 }))
  })

  it('is shown as 0 when it is unknown whether credits are held', async () => {
    const user = userPrincipal()
    given.billing.state.away = true
    expect((await chat.api.as(user).post('/api/chat', message('Held or not?'))).status).toBe(503)
    await untilPasses(() =>
      expect(given.events.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ userId: user.userId, outcome: 'error', charge: 0 }),
      ),
    )
  })

  it('of an interrupted answer is not charged again: a repeat of its send replays the answer', async () => {
    let running: CompletionCall | undefined
    given.router.script = (call) => {
      call.start()
      call.text('Half')
      running = call
    }
    const caller = chat.api.as(userPrincipal())
    const body = message('Break', { clientMessageId: 'broke-off' })
    const events = readEvents(await caller.stream(chatRoutes.send, { body }))
    const first = [(await events.next()).value?.data, (await events.next()).value?.data]
    running?.error('Down')
    first.push(...(await collect(events)).map(({ data }) => data))
    expect(first.at(-1)).toBe(streamEnd)
    expect((await send(caller, body)).data).toEqual(first)
    expect(given.router.calls).toHaveLength(1)
  })
})

it('a message that no context of the model could hold is refused and costs nothing', async () => {
  const caller = chat.api.as(userPrincipal())
  const tooLong = await caller.post('/api/chat', message('x'.repeat(400), { model: 'small' }))
  expect(tooLong).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  expect((await caller.call(chatRoutes.history)).body).toEqual([])
  expect(given.router.calls).toHaveLength(0)
  expect((await send(caller, message('x'.repeat(396), { model: 'small' }))).status).toBe(200)
})

it('a replica that lost its lease disconnects from the provider', async () => {
  let cutOff = false
  const timing = { leaseMs: 300 }
  const owner = await given.replica({
    timing,
    stores: (stores) => cutOffStores(stores, () => cutOff),
  })
  given.router.script = (call) => {
    call.start()
    call.text('Half of it')
  }
  const user = userPrincipal()
  const events = readEvents(await owner.api.as(user).stream(chatRoutes.send, { body: message('Go') }))
  const { messageId } = JSON.parse((await events.next()).value?.data ?? '')
  cutOff = true
  const generation = () => chat.stores.generations.find(messageId, user.userId)
  await untilPasses(async () => expect((await generation())?.status).toBe('interrupted'))
  cutOff = false
  await untilPasses(() => expect(given.router.calls.at(-1)?.aborted()).toBe(true))
})

it('an answer is replayed for a day after its end, and from then on it is in the history only (404)', async () => {
  const user = userPrincipal()
  const { start, data } = await send(chat.api.as(user), message('Remember this'))
  const [minuteMs, dayMs] = [60_000, 24 * 60 * 60_000]
  let aheadMs = dayMs - minuteMs
  const ahead = await given.replica({ now: () => new Date(Date.now() + aheadMs) })
  const later = ahead.api.as(user)
  expect((await resume(later, start.messageId)).data).toEqual(data)
  expect((await resume(later, start.messageId, 1)).data).toEqual(data.slice(1))
  aheadMs = dayMs + minuteMs
  const none: Readonly<Record<string, string>> = {}
  for (const headers of [none, { 'last-event-id': '1' }]) {
    expect((await later.get(`/api/chat/stream/${start.messageId}`, { headers })).status).toBe(404)
  }
  expect((await readChat(later, start.chatId)).messages.map(({ id }) => id)).toContain(start.messageId)
  // By its clock, chats of other tests would be old.
  await ahead.stop()
})

it('another user cannot restore a deleted chat, nor see that there was one (404)', async () => {
  const user = userPrincipal()
  const { start } = await send(chat.api.as(user), message('Delete me'))
  const params = { id: start.chatId }
  await chat.api.as(user).call(chatRoutes.remove, { params })
  const stranger = chat.api.as(userPrincipal(), { 'x-request-id': 'one-request' })
  const foreign = await stranger.call(chatRoutes.restore, { params })
  const missing = await stranger.call(chatRoutes.restore, { params: { id: 'ffffffffffffffff' } })
  expect([foreign.status, foreign.text]).toEqual([404, missing.text])
  expect((await chat.api.as(user).call(chatRoutes.history)).body).toEqual([])
  expect((await chat.api.as(user).call(chatRoutes.restore, { params })).status).toBe(200)
})

it('two people whose clients chose one id for one text each get their own answer, again and again', async () => {
  const [ann, bob] = [chat.api.as(userPrincipal()), chat.api.as(userPrincipal())]
  const body = message('Hello', { clientMessageId: 'one-id' })
  const answers = [await send(ann, body), await send(bob, body)]
  for (const [nth, caller] of [ann, bob].entries()) expect((await send(caller, body)).data).toEqual(answers[nth]?.data)
  expect(answers[0]?.start.messageId).not.toBe(answers[1]?.start.messageId)
  expect(given.router.calls).toHaveLength(2)
})
