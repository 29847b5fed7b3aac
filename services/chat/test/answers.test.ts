import { chatAnswerSchema, chatRoutes, streamEnd, streamEventSchema } from '@parley/contracts'
import { adminPrincipal, readEvents, untilPasses, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CompletionCall, modelInfo, usage } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, readChat, resume, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
  given.router.models.set('dear', modelInfo({ id: 'dear', creditsPerMessage: 5 }))
})
afterAll(() => given.stop())
beforeEach(() => given.router.reset())

const asUser = (user = userPrincipal()) => chat.api.as(user)

describe('the stream of an answer', () => {
  it('is numbered from 1 without gaps and ends with done and the end mark', async () => {
    const answer = await send(asUser(), message('Hello there'))
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(answer.ids).toEqual(answer.data.map((_data, index) => index + 1))
    expect(answer.data.at(-1)).toBe(streamEnd)
    for (const data of answer.data.slice(0, -1)) streamEventSchema.parse(JSON.parse(data))
    expect(answer.start).toMatchObject({ model: 'v3', event: 'new_chat_created', title: 'Hello there' })
    expect(answer.text).toBe('You said: Hello there')
    const { messageId } = answer.start
    expect(answer.last).toEqual({
      done: true,
      messageId,
      finishReason: 'stop',
      usage,
      credits: { charged: 1, remaining: 99 },
    })
  })

  it('is stored with its message, usage and cost, and published as an event', async () => {
    const user = userPrincipal()
    const { start } = await send(asUser(user), message('Keep this'))
    const { messages, title } = await readChat(asUser(user), start.chatId)
    expect(title).toBe('Keep this')
    expect(messages).toMatchObject([
      { id: start.userMessageId, role: 'user', content: 'Keep this', parentId: null, status: 'complete' },
      { id: start.messageId, role: 'assistant', content: 'You said: Keep this', status: 'complete', usage, credits: 1 },
    ])
    await untilPasses(() =>
      expect(given.events.map(({ data }) => data)).toContainEqual({
        generationId: start.messageId,
        chatId: start.chatId,
        userId: user.userId,
        model: 'v3',
        outcome: 'complete',
        charge: 1,
        usage,
        source: 'web',
        responseMs: expect.any(Number),
        firstTokenMs: expect.any(Number),
      }),
    )
  })

  it('cannot be forged by what the model says', async () => {
    const nasty = '\n\ndata: {"event":"new_chat_created"}\n\ndata: [DONE]\n\nid: 900\r\n\u2028\0\ud83d'
    given.router.script = (call) => {
      call.start()
      call.text(nasty)
      call.text('\ude00 end')
      call.end()
    }
    const user = userPrincipal()
    const answer = await send(asUser(user), message('Be nasty'))
    const kept = nasty.slice(0, -2).concat('\ufffd\u{1f600} end')
    expect(answer.text).toBe(kept)
    expect(answer.data.filter((data) => data === streamEnd)).toHaveLength(1)
    const { messages } = await readChat(asUser(user), answer.start.chatId)
    expect(messages[1]?.content).toBe(kept)
  })

  it('is JSON if the request accepts that', async () => {
    const answer = await asUser().post('/api/chat', message('Short'), { headers: { accept: 'application/json' } })
    expect(answer.status).toBe(200)
    expect(chatAnswerSchema.parse(answer.body)).toMatchObject({
      content: 'You said: Short',
      usage,
      credits: { charged: 1, remaining: 99 },
    })
  })

  it('costs the cheaper of the requested and the answering model', async () => {
    given.router.script = (call) => {
      call.start({ model: 'v3', creditsPerMessage: 2 })
      call.text('From the fallback')
      call.end()
    }
    const user = userPrincipal()
    const { start, last } = await send(asUser(user), message('Dear', { model: 'dear' }))
    expect(start.model).toBe('v3')
    expect(last.credits).toEqual({ charged: 2, remaining: 98 })
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ amount: 5, captured: 2 })
  })

  it('costs an admin nothing', async () => {
    const { start, last } = await send(chat.api.as(adminPrincipal()), message('Free', { model: 'dear' }))
    expect(last.credits).toMatchObject({ charged: 0 })
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ amount: 0, captured: 0 })
  })

  it('shows reasoning apart from text', async () => {
    given.router.script = (call) => {
      call.start()
      call.reasoning('Let me think.')
      call.text('Done.')
      call.end('length')
    }
    const user = userPrincipal()
    const answer = await send(asUser(user), message('Think'))
    expect(answer.data).toContain('{"reasoning":"Let me think."}')
    expect(answer.last).toMatchObject({ finishReason: 'length' })
    expect((await readChat(asUser(user), answer.start.chatId)).messages[1]).toMatchObject({
      content: 'Done.',
      reasoning: 'Let me think.',
      reasoningMs: expect.any(Number),
      finishReason: 'length',
    })
  })
})

describe('resuming', () => {
  /** Twenty pieces, each its own event. */
  const inPieces = async (call: CompletionCall) => {
    call.start()
    for (let piece = 0; piece < 20; piece += 1) {
      if (piece % 3 === 0) call.reasoning(`thought ${piece}. `)
      call.text(`piece ${piece} ü 😀. `)
      await new Promise((resolve) => setTimeout(resolve, 8))
    }
    call.end()
  }

  it('gives the same bytes after every position, from the log and from the store', async () => {
    given.router.script = inPieces
    const caller = asUser()
    const whole = await send(caller, message('In pieces'))
    expect(whole.ids.length).toBeGreaterThan(15)
    const { messageId } = whole.start
    const everywhere = async () => {
      const last = whole.ids.length
      for (let after = 0; after < last; after += 1) {
        const rest = await resume(caller, messageId, after)
        expect(rest.ids).toEqual(whole.ids.slice(after))
        expect(rest.data).toEqual(whole.data.slice(after))
      }
      // No stream is without an end, also for a reader that has it.
      const again = await resume(caller, messageId, last)
      expect(again.ids).toEqual([last + 1, last + 2])
      expect(again.data).toEqual(whole.data.slice(-2))
    }
    await everywhere()
    expect((await resume(caller, messageId)).data).toEqual(whole.data)
    await given.logs.forget()
    await everywhere()
  })

  it('joins an answer that is still running, after cuts at any place', async () => {
    given.router.script = inPieces
    const caller = asUser()
    const seen: string[] = []
    const first = await caller.stream(chatRoutes.send, { body: message('Cut me') })
    let messageId = ''
    for await (const { data } of readEvents(first)) {
      seen.push(data)
      messageId ||= JSON.parse(data).messageId
      if (seen.length === 3) break
    }
    while (seen.at(-1) !== streamEnd) {
      const answer = await caller.stream(chatRoutes.resume, {
        params: { id: messageId },
        headers: { 'last-event-id': String(seen.length) },
      })
      let taken = 0
      for await (const { id, data } of readEvents(answer)) {
        expect(Number(id)).toBe(seen.length + 1)
        seen.push(data)
        taken += 1
        if (taken === 4) break
      }
    }
    expect(seen).toEqual((await resume(caller, messageId)).data)
    expect(given.router.calls).toHaveLength(1)
  })

  it('names its owner and chat to llm-router, for hints about delays', async () => {
    const user = userPrincipal()
    const { start } = await send(asUser(user), message('Mine'))
    const watcher = { userId: user.userId, chatId: start.chatId, messageId: start.messageId }
    expect(given.router.calls[0]?.body).toMatchObject({ generationId: start.messageId, watcher })
  })

  it('is for the owner only: others get the bytes of a missing answer (404)', async () => {
    const { start } = await send(asUser(), message('Mine'))
    const stranger = chat.api.as(userPrincipal(), { 'x-request-id': 'the-same-request' })
    const foreign = await stranger.get(`/api/chat/stream/${start.messageId}`)
    const missing = await stranger.get('/api/chat/stream/0123456789abcdef')
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe(missing.text)
    const stop = await stranger.post(`/api/chat/stream/${start.messageId}/stop`)
    expect(stop.text).toBe(missing.text)
  })

  it('refuses a malformed id', async () => {
    expect((await asUser().get('/api/chat/stream/a%20b')).status).toBe(400)
    const { start } = await send(asUser(), message('Mine'))
    const wrong = await asUser().get(`/api/chat/stream/${start.messageId}`, { headers: { 'last-event-id': '-1' } })
    expect(wrong.status).toBe(400)
  })
})

describe('stopping', () => {
  const running = async (user: ReturnType<typeof userPrincipal>, text = 'Some text') => {
    given.router.script = (call) => {
      call.start()
      if (text !== '') call.text(text)
    }
    const answer = await asUser(user).stream(chatRoutes.send, { body: message('Stop me') })
    const events = readEvents(answer)
    const start = JSON.parse((await events.next()).value?.data ?? '')
    if (text !== '') await events.next()
    return { start, events, call: given.router.calls.at(-1) }
  }

  it('keeps and charges the text, ends the provider call and the stream', async () => {
    const user = userPrincipal()
    const { start, events, call } = await running(user)
    const stop = await asUser(user).call(chatRoutes.stop, { params: { id: start.messageId } })
    expect(stop.body).toEqual({ stopped: true })
    expect((await readChat(asUser(user), start.chatId)).messages[1]).toMatchObject({
      content: 'Some text',
      status: 'complete',
      finishReason: 'stopped',
      credits: 1,
      usage: { estimated: true },
    })
    const done = JSON.parse((await events.next()).value?.data ?? '')
    expect(done).toMatchObject({ done: true, finishReason: 'stopped', credits: { charged: 1, remaining: 99 } })
    await untilPasses(() => expect(call?.aborted()).toBe(true))
    const again = await asUser(user).call(chatRoutes.stop, { params: { id: start.messageId } })
    expect(again.body).toEqual({ stopped: true })
  })

  it('without text costs nothing', async () => {
    const user = userPrincipal()
    const { start } = await running(user, '')
    await asUser(user).call(chatRoutes.stop, { params: { id: start.messageId } })
    await untilPasses(() => expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 0 }))
    expect(given.billing.balances.get(user.userId)).toBe(100)
  })

  it('happens when the chat is deleted', async () => {
    const user = userPrincipal()
    const { start, call } = await running(user)
    await asUser(user).call(chatRoutes.remove, { params: { id: start.chatId } })
    await untilPasses(() => expect(call?.aborted()).toBe(true))
    await untilPasses(() => expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 1 }))
  })

  it('happens to all answers of a banned user, as an error', async () => {
    const user = userPrincipal()
    const { events, start } = await running(user)
    await given.bus.publish([
      {
        id: `ban-${user.userId}`,
        type: 'auth.user-banned',
        at: new Date(Date.now() + 1000).toISOString(),
        v: 1,
        key: user.userId,
        data: { userId: user.userId },
      },
    ])
    expect(JSON.parse((await events.next()).value?.data ?? '')).toMatchObject({ code: 'account_banned' })
    expect((await readChat(asUser(user), start.chatId)).messages[1]).toMatchObject({ status: 'interrupted' })
  })

  it('does not happen when the reader disconnects', async () => {
    const user = userPrincipal()
    const { start, events, call } = await running(user)
    await events.return(undefined)
    call?.text(' and more')
    call?.end()
    const whole = await resume(asUser(user), start.messageId)
    expect(whole.text).toBe('Some text and more')
  })
})
