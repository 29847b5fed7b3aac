import { chatRoutes, streamEnd } from '@parley/contracts'
import { type ApiCaller, apiClient, guestPrincipal, readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startChatProcess } from './chat-process.ts'
import { cutOffStores } from './cut-off.ts'
import type { CompletionCall } from './fake-router.ts'
import { type GivenChat, givenChat, identity, message, type Replica, resume, send } from './given-chat.ts'

let given: GivenChat
let one: Replica
let two: Replica
/** Of replicas that die: what they leave is found soon. */
const timing = { leaseMs: 700 }
/** Of those that live, for crowds on a busy machine. */
const patient = { timing: { billingMs: 20_000 } }
beforeAll(async () => {
  given = await givenChat()
  one = await given.replica(patient)
  two = await given.replica(patient)
})
afterAll(() => given.stop())
beforeEach(() => {
  given.router.reset()
  given.billing.state.away = false
})

/** Starts an answer that stands still after `text`. */
async function halfAnswer(caller: ApiCaller, text = 'Half of it') {
  given.router.script = (call) => {
    call.start()
    call.text(text)
  }
  const answer = await caller.stream(chatRoutes.send, { body: message('Go') })
  const events = readEvents(answer)
  const start = JSON.parse((await events.next()).value?.data ?? '')
  await events.next()
  const call = given.router.calls.at(-1) as CompletionCall
  return { start: start as { chatId: string; messageId: string }, events, call }
}

const storedAnswer = async (caller: ApiCaller, chatId: string) =>
  (await caller.call(chatRoutes.get, { params: { id: chatId } })).body.messages[1]

const rest = async (events: ReturnType<typeof readEvents>): Promise<string[]> => {
  const data: string[] = []
  for await (const event of events) data.push(event.data)
  return data
}

describe('two replicas of chat', () => {
  it('read each other’s answers as they come', async () => {
    const user = userPrincipal()
    const { start, events, call } = await halfAnswer(one.api.as(user))
    const elsewhere = resume(two.api.as(user), start.messageId, 1)
    call.text(', and the rest')
    call.end()
    expect((await elsewhere).text).toBe('Half of it, and the rest')
    expect((await rest(events)).at(-1)).toBe(streamEnd)
  })

  it('stop each other’s answers, also when the signal is lost', async () => {
    const deaf = await given.replica({
      cache: (cache) => ({ ...cache, signal: { ...cache.signal, subscribe: () => () => undefined } }),
    })
    for (const owner of [one, deaf]) {
      const user = userPrincipal()
      const { start, call } = await halfAnswer(owner.api.as(user))
      const stop = await two.api.as(user).call(chatRoutes.stop, { params: { id: start.messageId } })
      expect(stop.status).toBe(200)
      await untilPasses(() => expect(call.aborted()).toBe(true))
      expect(await storedAnswer(two.api.as(user), start.chatId)).toMatchObject({
        status: 'complete',
        content: 'Half of it',
      })
    }
  })

  it('make one provider call for 200 sends on a balance for one', async () => {
    const user = userPrincipal()
    given.billing.balances.set(user.userId, 1)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, nth) =>
        (nth % 2 ? one : two).api.as(user).post('/api/chat', message(`Send ${nth}`)),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 402).map(({ text }) => text)).toEqual([])
    expect(given.router.calls).toHaveLength(1)
    expect(given.billing.balances.get(user.userId)).toBe(0)
  })

  it('answer the same send once', async () => {
    const user = userPrincipal()
    const body = message('Once', { clientMessageId: 'two-replicas' })
    const [first, second] = await Promise.all([send(one.api.as(user), body), send(two.api.as(user), body)])
    expect(second.data).toEqual(first.data)
    expect(given.router.calls).toHaveLength(1)
  })
})

describe('a replica that dies while it makes an answer', () => {
  it('has its answer ended as interrupted and settled by another replica', async () => {
    let cutOff = false
    const cut = await given.replica({
      timing,
      stores: (stores) => cutOffStores(stores, () => cutOff),
    })
    const user = userPrincipal()
    const { start, events, call } = await halfAnswer(cut.api.as(user))
    const reader = resume(two.api.as(user), start.messageId)
    cutOff = true
    const whole = await reader
    expect(whole.text).toBe('Half of it')
    expect(whole.last).toEqual({ error: 'Streaming was interrupted', code: 'unavailable' })
    expect(whole.data.at(-1)).toBe(streamEnd)
    expect(whole.ids).toEqual(whole.ids.map((_id, index) => index + 1))
    expect(await storedAnswer(two.api.as(user), start.chatId)).toMatchObject({
      status: 'interrupted',
      content: 'Half of it',
    })
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 1 })
    // The old owner is still alive: what it goes on with reaches nobody.
    call.text(' too late')
    call.end()
    expect((await rest(events)).join('')).not.toContain('too late')
    cutOff = false
    await untilPasses(() => expect(given.events.filter(({ key }) => key === start.messageId)).toHaveLength(1))
    expect((await resume(two.api.as(user), start.messageId)).data).toEqual(whole.data)
  })

  it('by kill -9 loses no message and leaves nothing generating', async () => {
    const child = await startChatProcess(given, { timing: { leaseMs: 3_000 } })
    const user = userPrincipal()
    const client = apiClient(child.url, identity)
    const { start, events } = await halfAnswer(client.as(user))
    const generation = async () => await one.stores.generations.find(start.messageId, user.userId)
    // The child's logs are its own, so what is kept is what was saved.
    await untilPasses(async () => expect((await generation())?.content).toBe('Half of it'))
    await child.kill()
    await events.next().catch(() => undefined)
    await untilPasses(async () => expect((await generation())?.status).toBe('interrupted'))
    const { messages, generating } = (await one.api.as(user).call(chatRoutes.get, { params: { id: start.chatId } }))
      .body
    expect(generating).toBeUndefined()
    expect(messages).toMatchObject([
      { content: 'Go', status: 'complete' },
      { content: 'Half of it', status: 'interrupted', credits: 1 },
    ])
    await untilPasses(() => expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 1 }))
    const replayed = await resume(one.api.as(user), start.messageId, 2)
    expect(replayed.data).toEqual(['{"error":"Streaming was interrupted","code":"unavailable"}', streamEnd])
    await client.close()
  })

  it('before its answer began loses nothing: a repeat of the send continues', async () => {
    const user = userPrincipal()
    let dying = true
    const dies = await given.replica({
      timing,
      stores: (stores) => ({
        ...stores,
        generations: {
          ...stores.generations,
          begin: (...args) => {
            if (dying) throw new Error('killed')
            return stores.generations.begin(...args)
          },
        },
      }),
    })
    const body = message('Survive', { clientMessageId: 'survivor' })
    expect((await dies.api.as(user).post('/api/chat', body)).status).toBe(500)
    dying = false
    const { start, text } = await send(two.api.as(user), body)
    expect(text).toBe('You said: Survive')
    expect((await two.api.as(user).call(chatRoutes.history)).body).toMatchObject([
      { _id: start.chatId, messageCount: 2 },
    ])
  })

  it('returns a guest’s message when there was no text', async () => {
    const now = new Date()
    const guest = { sessionId: 'guest-of-the-dead', network: '4:203.0.113.9' }
    const id = 'generation-of-the-dead'
    const limit = { messages: 2, windowMs: 60_000 }
    await one.stores.guests.take('guest:guest-of-the-dead', id, limit, now)
    await one.stores.guests.take('network:4:203.0.113.9', id, limit, now)
    const generation = {
      id,
      chatId: 'chat-of-the-dead',
      ownerId: 'guest:guest-of-the-dead',
      parentId: 'message-of-the-dead',
      model: 'v3',
      price: 1,
      guest,
      opening: [],
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
      continued: null,
    }
    await one.stores.generations.begin(generation, { owner: 'dead', ms: 1 })
    for (const bucket of ['guest:guest-of-the-dead', 'network:4:203.0.113.9']) {
      await untilPasses(async () => expect((await one.stores.guests.use(bucket, 60_000, now)).used).toBe(0))
    }
  })
})

describe('a service that chat calls', () => {
  it('whose replica drains during a call is called once more, and acts once', async () => {
    const user = userPrincipal()
    given.billing.state.cuts = 1
    let tries = 0
    given.router.script = (call) => {
      tries += 1
      if (tries === 1) return call.cut()
      call.start()
      call.text('From the other one')
      given.billing.state.cuts = 1
      call.end()
    }
    const { start, text, last } = await send(one.api.as(user), message('Go'))
    expect([text, tries, given.billing.state.cuts]).toEqual(['From the other one', 2, 0])
    expect(last).toMatchObject({ done: true, credits: { charged: 1, remaining: 99 } })
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 1 })
  })

  it('charges an answer by its event if it is billing and was unavailable at the answer’s end', async () => {
    const user = userPrincipal()
    const { start, events, call } = await halfAnswer(one.api.as(user))
    given.billing.state.away = true
    call.end()
    const done = JSON.parse((await rest(events))[0] ?? '')
    expect(done).toMatchObject({ done: true, credits: { charged: 1, remaining: 99 } })
    await untilPasses(() =>
      expect(given.events).toContainEqual(
        expect.objectContaining({
          key: start.messageId,
          data: expect.objectContaining({ charge: 1, outcome: 'complete' }),
        }),
      ),
    )
  })
})

describe('an answer that takes too long', () => {
  const timeout = { code: 'provider_timeout', error: 'Response timeout. The AI model took too long to respond.' }

  it('in total is ended with its text, and charged', async () => {
    const short = await given.replica({ timing: { totalMs: 8_000 } })
    const user = userPrincipal()
    const { start, events, call } = await halfAnswer(short.api.as(user))
    const data = await rest(events)
    expect(data.map((line) => (line.startsWith('{') ? JSON.parse(line) : line))).toEqual([timeout, streamEnd])
    await untilPasses(() => expect(call.aborted()).toBe(true))
    expect(await storedAnswer(two.api.as(user), start.chatId)).toMatchObject({
      status: 'interrupted',
      content: 'Half of it',
      finishReason: 'error',
    })
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 1 })
  })

  it('to its first event is refused, free of charge', async () => {
    const short = await given.replica({ timing: { firstFrameMs: 3_000 } })
    const user = userPrincipal()
    given.router.script = () => undefined
    expect(await short.api.as(user).post('/api/chat', message('Hello?'))).toMatchObject({ status: 504, body: timeout })
    await untilPasses(() => expect(given.router.calls.at(-1)?.aborted()).toBe(true))
    expect(given.billing.balances.get(user.userId)).toBe(100)
  })

  it('between two events is ended with its text', async () => {
    const short = await given.replica({ timing: { silenceMs: 1_000 } })
    const { events, call } = await halfAnswer(short.api.as(userPrincipal()))
    expect(JSON.parse((await rest(events))[0] ?? '')).toMatchObject({ code: 'provider_error' })
    await untilPasses(() => expect(call.aborted()).toBe(true))
  })
})

it('a replica that is shut down saves its running answers as interrupted', async () => {
  const leaving = await given.replica({ timing: { drainMs: 50 } })
  const user = userPrincipal()
  const { start, events } = await halfAnswer(leaving.api.as(user))
  const reader = resume(two.api.as(user), start.messageId)
  const stopping = leaving.stop()
  await rest(events).catch(() => undefined)
  await stopping
  expect((await reader).last).toEqual({ error: 'Streaming was interrupted', code: 'unavailable' })
  expect(await storedAnswer(two.api.as(user), start.chatId)).toMatchObject({
    status: 'interrupted',
    content: 'Half of it',
  })
})

it('a hold is renewed while its answer runs', async () => {
  const renewing = await given.replica({ timing: { holdRenewMs: 50 } })
  const { start, call, events } = await halfAnswer(renewing.api.as(userPrincipal()))
  await untilPasses(() => expect(given.billing.holds.get(start.messageId)?.renewals).toBeGreaterThan(0))
  call.end()
  await rest(events)
})

it('a guest’s answer is read on another replica without being ended', async () => {
  const short = { guestAbsenceMs: 6_000 }
  const [owner, other] = [await given.replica({ timing: short }), await given.replica({ timing: short })]
  const guest = guestPrincipal({ network: '4:203.0.113.77' })
  const { body } = await owner.api.as(guest).call(chatRoutes.guestInfo)
  const headers = { 'x-guest-session-id': body.guestSession.id }
  given.router.script = (call) => call.start()
  const answer = await owner.api.as(guest).stream(chatRoutes.send, { body: message('Go'), headers })
  const events = readEvents(answer)
  const { messageId } = JSON.parse((await events.next()).value?.data ?? '')
  const params = { id: messageId }
  const elsewhere = await other.api.as(guest).stream(chatRoutes.resume, { params, headers })
  await events.return(undefined)
  const seen: string[] = []
  const call = given.router.calls.at(-1)
  const reading = (async () => {
    for await (const { data } of readEvents(elsewhere)) seen.push(data)
  })()
  const leftAt = performance.now()
  await untilPasses(() => expect(performance.now() - leftAt).toBeGreaterThan(1.5 * short.guestAbsenceMs))
  expect(call?.aborted()).toBe(false)
  call?.text('Still here')
  call?.end()
  await reading
  expect(seen).toContain('{"text":"Still here"}')
})
