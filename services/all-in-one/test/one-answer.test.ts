import { type Credits, chatRoutes, type GuestSession, type StreamEvent } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiCaller, collect, readEvents, waitUntil } from '@parley/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type Person, steadily, unlimited, type World } from './given.ts'

const send = { message: 'How are you?', model: 'v3' }

async function stream(
  api: ApiCaller,
  body: object = send,
): Promise<{ events: StreamEvent[]; ids: string[]; headers: Record<string, unknown> }> {
  const answer = await api.open('POST', '/api/chat', { body })
  expect(answer.status).toBe(200)
  const frames = await collect(readEvents(answer))
  expect(frames.at(-1)?.data).toBe('[DONE]')
  return {
    events: frames.slice(0, -1).map(({ data }) => JSON.parse(data) as StreamEvent),
    ids: frames.map(({ id }) => id ?? ''),
    headers: answer.headers,
  }
}
const textOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => ('text' in event ? event.text : '')).join('')
const creditsOf = async ({ api }: Person): Promise<Credits> => (await api.get('/api/user/credits')).body as Credits

describe('one answer, from keyboard to ledger', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
    await world.settings({ ...unlimited, guest: { enabled: true, weeklyLimit: 2 } })
  })
  afterAll(() => world.close())
  beforeEach(() => world.provider.reset())

  /** Billing's ledger is consistent after any of the tests. */
  const expectBooksToBalance = async (): Promise<void> => {
    const wrong = await world.query(
      `select a.user_id from billing.accounts a
       where (select coalesce(sum(delta), 0) from billing.ledger l where l.user_id = a.user_id)
         is distinct from (select balance_after from billing.ledger l where l.user_id = a.user_id order by id desc limit 1)
         or exists (select 1 from billing.ledger l where l.user_id = a.user_id and balance_after < 0)`,
    )
    expect(wrong).toEqual([])
  }

  it('reaches the user, is stored, and costs its price', async () => {
    const ann = await world.register()
    const { remaining } = await creditsOf(ann)
    world.provider.reply({ chunks: ['Fine, ', 'thänk ', 'you 🙂.'], usage: { inputTokens: 12, outputTokens: 5 } })
    const { events, ids } = await stream(ann.api)
    expect(ids).toEqual(ids.map((_id, index) => String(index + 1)))
    expect(events[0]).toMatchObject({ event: 'new_chat_created', title: 'How are you?', model: 'v3' })
    expect(textOf(events)).toBe('Fine, thänk you 🙂.')
    expect(events.at(-1)).toMatchObject({
      done: true,
      finishReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 5, estimated: false },
      credits: { charged: 1, remaining: remaining - 1 },
    })
    expect(await creditsOf(ann)).toMatchObject({ remaining: remaining - 1, held: 0, used: 1 })
    const [chat] = (await ann.api.get('/api/chat/history')).body as { _id: string }[]
    const { body } = await ann.api.get(`/api/chat/history/${chat?._id}`)
    expect(body).toMatchObject({
      messages: [
        { role: 'user', content: 'How are you?', status: 'complete' },
        { role: 'assistant', content: 'Fine, thänk you 🙂.', status: 'complete', credits: 1 },
      ],
    })
    await expectBooksToBalance()
  })

  it('is returned as JSON when the client accepts JSON', async () => {
    const ann = await world.register()
    world.provider.reply({ text: 'Fine.' })
    const { status, body } = await ann.api.post('/api/chat', send, { headers: { accept: 'application/json' } })
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ content: 'Fine.', credits: { charged: 1, remaining: 99 } }),
    ])
  })

  it('is generated and charged once for 200 concurrent sends on a balance for one', async () => {
    const ann = await world.register()
    const admin = await world.admin()
    const { body } = await admin.api.post('/api/admin/plans', { name: `One ${newId()}`, monthlyCredits: 1 })
    const { plan } = body as { plan: { id: string } }
    await admin.api.post(`/api/admin/users/${ann.user._id}/plan`, { planId: plan.id })
    expect(await creditsOf(ann)).toMatchObject({ remaining: 1 })
    world.provider.reset()
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        steadily(() => ann.api.call(chatRoutes.send, { body: send, headers: { accept: 'application/json' } })),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 402)).toHaveLength(199)
    expect(world.provider.calls).toHaveLength(1)
    await expect.poll(() => creditsOf(ann)).toMatchObject({ remaining: 0, held: 0 })
    await expectBooksToBalance()
  })

  it('is given to guests up to the allowance, even for 50 concurrent requests', async () => {
    const info = await world.at().get('/api/chat/guest-info')
    const { guestSession } = info.body as { guestSession: GuestSession }
    expect(guestSession).toMatchObject({ remainingMessages: 2, messageLimit: 2 })
    const guest = world.at().with({ 'x-guest-session-id': guestSession.id, accept: 'application/json' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => guest.post('/api/chat', { ...send, model: 'another' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set(refused.map(({ body }) => (body as { code: string }).code))).toEqual(
      new Set(['guest_limit_reached']),
    )
    expect(world.provider.calls).toHaveLength(2)
    expect(world.provider.calls[0]?.body.model).toBe('deepseek-chat')
    expect(
      ((await guest.get('/api/chat/guest-info')).body as { guestSession: GuestSession }).guestSession.remainingMessages,
    ).toBe(0)
  })

  it('is generated once for five sends with one id', async () => {
    const ann = await world.register()
    world.provider.always({ text: 'Once.' })
    const clientMessageId = newId()
    const answers = await Promise.all(Array.from({ length: 5 }, () => stream(ann.api, { ...send, clientMessageId })))
    expect(new Set(answers.map(({ events }) => textOf(events)))).toEqual(new Set(['Once.']))
    expect(world.provider.calls).toHaveLength(1)
    expect(await creditsOf(ann)).toMatchObject({ used: 1 })
    const other = await ann.api.post('/api/chat', { ...send, message: 'Another', clientMessageId })
    expect(other.status).toBe(409)
  })

  it.each([401, 429, 500])('costs nothing when the provider returns %i before its first token', async (status) => {
    const ann = await world.register()
    world.provider.always({ status, body: '{"error":{"message":"key sk-canary of org-canary"}}' })
    const answer = await ann.api.post('/api/chat', send)
    expect(answer.status).toBe(502)
    expect(answer.body).toMatchObject({ code: 'provider_error' })
    expect(answer.text).not.toMatch(/canary/)
    await waitUntil(async () => (await creditsOf(ann)).held === 0, 'the hold to be released')
    expect(await creditsOf(ann)).toMatchObject({ remaining: 100, used: 0 })
  })

  it('that the provider breaks off keeps the text so far, marked as interrupted and charged', async () => {
    const ann = await world.register()
    world.provider.reply({ chunks: ['Half ', 'an ', 'answer'], cutAfterChunks: 2 })
    const { events } = await stream(ann.api)
    expect(textOf(events)).toBe('Half an ')
    expect(events.at(-1)).toMatchObject({ error: expect.any(String), code: 'provider_error' })
    const [chat] = (await ann.api.get('/api/chat/history')).body as { _id: string }[]
    const { body } = await ann.api.get(`/api/chat/history/${chat?._id}`)
    expect((body as { messages: unknown[] }).messages[1]).toMatchObject({ content: 'Half an ', status: 'interrupted' })
    await waitUntil(async () => (await creditsOf(ann)).used === 1, 'the charge')
    await expectBooksToBalance()
  })

  it('ends when its user is banned, as does everything else of the user', async () => {
    const [ann, admin] = [await world.register(), await world.admin()]
    world.provider.reply({ chunks: ['Still ', 'talking'], hang: { after: 1 } })
    const answer = await ann.api.open('POST', '/api/chat', { body: send })
    const events = readEvents(answer)
    await events.next()
    expect((await admin.api.patch(`/api/admin/users/${ann.user._id}`, { banned: true })).status).toBe(200)
    const rest = await collect(events).catch(() => [])
    expect(rest.some(({ data }) => data.includes('"done"'))).toBe(false)
    await world.provider.aborted(1)
    for (const path of ['/api/chat/history', '/api/user/credits']) {
      expect((await ann.api.get(path)).body).toMatchObject({ code: 'account_banned' })
    }
    expect((await ann.api.get('/api/user/profile')).body).toMatchObject({ user: { isBanned: true } })
  })

  it('is a 404 to other users, like a missing one', async () => {
    const [ann, bob] = [await world.register(), await world.register()]
    const { events } = await stream(ann.api)
    const { chatId, messageId } = events[0] as { chatId: string; messageId: string }
    const calls = (id: string, stream: string): [string, string, object?][] => [
      ['GET', `/api/chat/history/${id}`],
      ['PUT', `/api/chat/history/${id}/rename`, { title: 'Mine' }],
      ['PUT', `/api/chat/history/${id}/pin`, { pinned: true }],
      ['DELETE', `/api/chat/history/${id}`],
      ['POST', `/api/chat/history/${id}/restore`],
      ['POST', '/api/chat', { ...send, chatId: id }],
      ['GET', `/api/chat/stream/${stream}`],
      ['POST', `/api/chat/stream/${stream}/stop`],
    ]
    const strange = calls(chatId, messageId)
    const unknown = calls(newId(), newId())
    for (const [index, [method, path, body]] of strange.entries()) {
      const headers = { 'x-request-id': 'the-same-request' }
      const foreign = await bob.api.send(method, path, { body, headers })
      const [, missingPath = '', missingBody] = unknown[index] ?? []
      const missing = await bob.api.send(method, missingPath, { body: missingBody, headers })
      expect([foreign.status, foreign.text], path).toEqual([404, missing.text])
    }
    expect((await bob.api.delete('/api/chat/bulk', { ids: [chatId] })).body).toEqual({
      deleted: [],
      notFound: [chatId],
      unauthorized: [],
    })
    expect((await ann.api.get(`/api/chat/history/${chatId}`)).body).toMatchObject({ title: 'How are you?' })
  })
})
