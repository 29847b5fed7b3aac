import { chatRoutes } from '@parley/contracts'
import { type LiveSettings, newId } from '@parley/kit'
import { readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sampleFinished, sampleProgress } from '../contract/suites/samples.ts'
import { createGuestAllowance } from '../src/guests/guest-allowance.ts'
import { echo, modelInfo } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.script = echo
})

it('a guest whose network is exhausted loses no message of the own allowance', async () => {
  const settings = { current: async () => ({ guest: { enabled: true, weeklyLimit: 2 } }) } as unknown as LiveSettings
  const allowance = createGuestAllowance({ guests: chat.stores.guests, settings, now: () => new Date() })
  const network = '4:192.0.2.10'
  for (let nth = 0; nth < 10; nth += 1)
    await allowance.take({ sessionId: `other-${nth}`, network }, `generation-${nth}`)
  const own = { sessionId: 'own', network }
  await expect(allowance.take(own, 'generation-own')).rejects.toMatchObject({ code: 'guest_limit_reached' })
  const elsewhere = await allowance.read({ sessionId: 'own', network: '4:192.0.2.11' })
  expect(elsewhere.remainingMessages).toBe(2)
})

it('a guest whose replica died between end and settlement gets the message back', async () => {
  const network = `4:${newId()}`
  const guest = { sessionId: newId(), network }
  const id = newId()
  const now = new Date()
  const buckets = [`guest:${guest.sessionId}`, `network:${network}`]
  const used = async () =>
    await Promise.all(buckets.map(async (bucket) => (await chat.stores.guests.use(bucket, 600_000, now)).used))
  for (const bucket of buckets) await chat.stores.guests.take(bucket, id, { messages: 5, windowMs: 600_000 }, now)
  expect(await used()).toEqual([1, 1])
  const generation = {
    id,
    chatId: newId(),
    ownerId: `guest:${guest.sessionId}`,
    parentId: newId(),
    model: 'v3',
    price: 1,
    guest,
    opening: [],
    createdAt: new Date(now.getTime() - 60_000),
    expiresAt: new Date(now.getTime() + 600_000),
    continued: null,
  }
  await chat.stores.generations.begin(generation, { owner: 'died', ms: 60_000 })
  const ended = await chat.stores.generations.finish(
    id,
    'died',
    { ...sampleProgress(), ...generation, content: '' },
    {
      outcome: 'error',
      finishReason: 'error',
      usage: { inputTokens: 1, outputTokens: 0, estimated: true },
      credits: { charged: 0, remaining: 0 },
      failure: { error: 'Broken', code: 'provider_error' },
      durationMs: 1,
    },
    undefined,
  )
  expect(ended).toBe(true)
  await untilPasses(async () => expect(await used()).toEqual([0, 0]))
})

it("a message is dated later than all before it, also when this replica's clock is behind", async () => {
  const user = userPrincipal()
  const caller = chat.api.as(user)
  const { start } = await send(caller, message('First'))
  const ahead = new Date(Date.now() + 3_600_000)
  const written = sampleFinished(newId(), { content: 'Written by a clock ahead', createdAt: ahead })
  expect(await chat.stores.messages.append(start.chatId, user.userId, [written])).toBe('appended')
  const next = await send(caller, message('Next', { chatId: start.chatId }))
  const { messages } = (await caller.call(chatRoutes.get, { params: { id: start.chatId } })).body
  expect(messages.map(({ content }) => content)).toEqual([
    'First',
    'You said: First',
    'Written by a clock ahead',
    'Next',
    'You said: Next',
  ])
  expect(messages.at(-1)?.id).toBe(next.start.messageId)
})

it('a stop reaches the owner at once, not at its next checkpoint', async () => {
  const slow = await given.replica({ timing: { checkpointMs: 60_000, leaseMs: 120_000 } })
  given.router.script = (call) => {
    call.start()
    call.text('Some text')
  }
  const caller = slow.api.as(userPrincipal())
  const events = readEvents(await caller.stream(chatRoutes.send, { body: message('Go') }))
  const { messageId } = JSON.parse((await events.next()).value?.data ?? '')
  const stop = caller.call(chatRoutes.stop, { params: { id: messageId } })
  await untilPasses(() => expect(given.router.calls.at(-1)?.aborted()).toBe(true))
  expect((await stop).status).toBe(200)
})

it('a JSON answer that breaks off is an error in the documented shape', async () => {
  given.router.script = (call) => {
    call.start()
    call.text('Half')
    call.error('The provider broke off.')
  }
  const answer = await chat.api
    .as(userPrincipal())
    .post('/api/chat', message('Break'), { headers: { accept: 'application/json' } })
  expect(answer).toMatchObject({
    status: 502,
    body: { code: 'provider_error', error: 'The provider broke off.', requestId: expect.any(String) },
  })
})

it('a disabled model answers no user from then on, and repeats of a message that it answered replay its answer', async () => {
  const caller = chat.api.as(userPrincipal())
  const body = message('While it is on', { clientMessageId: 'while-on' })
  const answered = await send(caller, body)
  expect(answered.status).toBe(200)
  const { length: calls } = given.router.calls
  given.router.models.set('v3', modelInfo({ enabled: false }))
  await given.signal.publish('models-changed', {})
  try {
    const refused = await caller.post('/api/chat', message('While it is off'))
    expect(refused).toMatchObject({ status: 403, body: { code: 'model_locked' } })
    expect((await send(caller, body)).data).toEqual(answered.data)
    const other = await caller.post('/api/chat', { ...body, message: 'Something else' })
    expect(other).toMatchObject({ status: 409, body: { code: 'duplicate_message' } })
    expect(given.router.calls).toHaveLength(calls)
  } finally {
    given.router.models.set('v3', modelInfo())
    await given.signal.publish('models-changed', {})
  }
})
