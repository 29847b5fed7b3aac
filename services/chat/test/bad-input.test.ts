import { chatRoutes, errorBodySchema, type Route } from '@parley/contracts'
import { badInputCases, userPrincipal } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GivenChat, givenChat, message, type Replica, send } from './given-chat.ts'

let given: GivenChat
let chat: Replica
const user = userPrincipal()
beforeAll(async () => {
  given = await givenChat()
  chat = await given.replica()
})
afterAll(() => given.stop())

/** A good body where the schema allows more than is sensible. */
const bodies: Readonly<Record<string, unknown>> = { send: message('Hello') }

describe('malformed input', () => {
  it.each(Object.entries<Route>(chatRoutes))('to %s is refused and changes nothing', async (name, route) => {
    const caller = chat.api.as(user)
    const { start } = await send(caller, message('Unchanged'))
    const state = async () => (await caller.get('/api/chat/history')).text
    const before = await state()
    const cases = badInputCases(route, { params: { id: start.chatId }, body: bodies[name] })
    for (const { name: title, request } of cases) {
      const { method, path, ...options } = request
      const answer = await caller.send(method, path, options)
      expect(answer.status, title).toBeGreaterThanOrEqual(400)
      expect(answer.status, title).toBeLessThan(500)
      expect(errorBodySchema.safeParse(answer.body).success, title).toBe(true)
    }
    expect(await state()).toBe(before)
  })

  it('in headers is refused, too', async () => {
    const caller = chat.api.as(user)
    for (const key of ['has space', 'x'.repeat(300), 'ümlaut']) {
      const headers = { 'idempotency-key': Buffer.from(key, 'utf8').toString('latin1') }
      expect((await caller.post('/api/chat', message('x'), { headers })).status, key).toBe(400)
    }
  })
})
