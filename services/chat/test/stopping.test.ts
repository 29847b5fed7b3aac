import { chatRoutes, type SendBody } from '@parley/contracts'
import { type ApiCaller, guestPrincipal, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GenerationStore } from '../src/store/generation-store.ts'
import type { CompletionCall } from './fake-router.ts'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let one: Replica
let two: Replica
beforeAll(async () => {
  given = await givenChat()
  one = await given.replica({ timing: { unseenStopMs: 50 } })
  two = await given.replica({ timing: { unseenStopMs: 50 } })
})
afterAll(() => given.stop())
beforeEach(() => given.router.reset())

const patience = 120_000
const stopOf = (caller: ApiCaller, id: string, headers = {}) =>
  caller.post(`/api/chat/stream/${id}/stop`, undefined, { headers })
const stopped = { status: 200, body: { stopped: true } }

/** Sends what no model answers, and resolves once the model is asked. */
async function waiting(caller: ApiCaller, body: SendBody, headers = {}) {
  given.router.script = () => undefined
  const answer = send(caller, body, headers)
  await vi.waitFor(() => expect(given.router.calls).toHaveLength(1), patience)
  return { answer, call: given.router.calls[0] as CompletionCall }
}

describe('a stop by the id that the sender gave its message', () => {
  it('ends the answer before its first token, from any replica, free of charge', async () => {
    const user = userPrincipal()
    const { answer, call } = await waiting(one.api.as(user), message('Go', { clientMessageId: 'silent' }))
    expect(await stopOf(two.api.as(user), 'silent')).toMatchObject(stopped)
    const { start, last, text } = await answer
    expect(last).toMatchObject({ done: true, finishReason: 'stopped', credits: { charged: 0, remaining: 100 } })
    expect(text).toBe('')
    await vi.waitFor(() => expect(call.aborted()).toBe(true), patience)
    expect(given.billing.holds.get(start.messageId)).toMatchObject({ captured: 0 })
    expect(await stopOf(two.api.as(user), 'silent')).toMatchObject(stopped)
  })

  it('that arrives before the message stops it, and no model is called', async () => {
    const user = userPrincipal()
    expect((await stopOf(two.api.as(user), 'overtaken')).status).toBe(404)
    const { last, start } = await send(one.api.as(user), message('Go', { clientMessageId: 'overtaken' }))
    expect(last).toMatchObject({ done: true, finishReason: 'stopped', credits: { charged: 0, remaining: 100 } })
    expect(given.router.calls).toEqual([])
    const { body } = await one.api.as(user).call(chatRoutes.get, { params: { id: start.chatId } })
    expect(body.messages).toMatchObject([{ content: 'Go' }, { content: '', finishReason: 'stopped' }])
    expect((await send(one.api.as(user), message('Go', { clientMessageId: 'another' }))).text).toBe('You said: Go')
  })

  it('that waits for its message succeeds once the message arrives', async () => {
    const patient = await given.replica({ timing: { unseenStopMs: patience } })
    const user = userPrincipal()
    const stop = stopOf(patient.api.as(user), 'race')
    const { last } = await send(one.api.as(user), message('Go', { clientMessageId: 'race' }))
    expect(await stop).toMatchObject(stopped)
    expect(['stop', 'stopped']).toContain(last.finishReason)
  })

  it('learns of the end on another replica without polling the store', async () => {
    const find = vi.fn<GenerationStore['find']>()
    const told = await given.replica({
      timing: { unseenStopMs: patience, lookMs: 600_000 },
      stores: (stores) => ({
        ...stores,
        generations: { ...stores.generations, find: find.mockImplementation(stores.generations.find) },
      }),
    })
    const user = userPrincipal()
    const stop = stopOf(told.api.as(user), 'told')
    await vi.waitFor(() => expect(find).toHaveBeenCalled(), patience)
    given.router.script = () => undefined
    const answer = send(one.api.as(user), message('Go', { clientMessageId: 'told' }))
    expect(await stop).toMatchObject(stopped)
    expect((await answer).last).toMatchObject({ finishReason: 'stopped' })
    expect(find.mock.calls.length).toBeLessThan(8)
  })

  it('keeps and charges the text so far', async () => {
    const user = userPrincipal()
    given.router.script = (call) => {
      call.start()
      call.text('Half of it')
    }
    const answer = send(one.api.as(user), message('Go', { clientMessageId: 'half' }))
    const kept = async () =>
      await one.stores.sends.find({ ownerId: user.userId, clientMessageId: 'half', idempotencyKey: null })
    await vi.waitFor(async () => {
      const { messageId = '' } = (await kept()) ?? {}
      expect((await one.stores.generations.find(messageId, user.userId))?.content).toBe('Half of it')
    }, patience)
    expect(await stopOf(two.api.as(user), 'half')).toMatchObject(stopped)
    expect(await answer).toMatchObject({
      text: 'Half of it',
      last: { finishReason: 'stopped', credits: { charged: 1, remaining: 99 } },
    })
  })

  it("of another user's message is answered like an unknown one, in the same bytes (404)", async () => {
    const user = userPrincipal()
    const { answer, call } = await waiting(one.api.as(user), message('Mine', { clientMessageId: 'mine' }))
    const stranger = two.api.as(userPrincipal(), { 'x-request-id': 'the-same-request' })
    const foreign = await stopOf(stranger, 'mine')
    expect(foreign.status).toBe(404)
    expect(foreign.text).toBe((await stopOf(stranger, 'nobody-sent-this')).text)
    call.start()
    call.text('Undisturbed')
    call.end()
    expect((await answer).text).toBe('Undisturbed')
  })

  it('works for a guest as well, and gives the message back', async () => {
    const guest = guestPrincipal({ network: '4:198.51.100.77' })
    const session = async () => (await one.api.as(guest).call(chatRoutes.guestInfo)).body.guestSession
    const [own, others] = [await session(), await session()]
    const as = (id: string) => ({ 'x-guest-session-id': id })
    const body = message('Go', { clientMessageId: 'of-a-guest' })
    const { answer } = await waiting(one.api.as(guest), body, as(own.id))
    expect((await stopOf(two.api.as(guest), 'of-a-guest', as(others.id))).status).toBe(404)
    expect(await stopOf(two.api.as(guest), 'of-a-guest', as(own.id))).toMatchObject(stopped)
    expect((await answer).last).toMatchObject({ done: true, finishReason: 'stopped' })
    const { body: info } = await one.api.as(guest).call(chatRoutes.guestInfo, { headers: as(own.id) })
    expect(info.guestSession.remainingMessages).toBe(own.remainingMessages)
  })
})
