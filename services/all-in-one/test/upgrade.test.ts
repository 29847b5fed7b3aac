import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { chatRoutes, type StartEvent } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiCaller, collect, ledgerFaults, readEvents } from '@parley/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword, openWorld, steadily, userPassword, type World } from './given.ts'

/** The secret that the services of version 0.1.0 shared when the data in the file was made. */
const secret = 'abb543d91b420542809254afad623a04a79e9b98af439d533a697dc92c9d7f28'
const patience = { timeout: 60_000, interval: 100 }

/**
 * `version-0.1.0.sql.gz` is `pg_dump --inserts --no-owner --no-privileges` of what version 0.1.0 wrote in one process: ada, bob and the banned eve,
 * ada's two chats with versions of an answer, a rating, a picture that was sent and one that was made, a deleted chat, a watchlist, a grant of 500
 * credits, a guest's message, a plan `Team`, a fallback of v3, and an audit log.
 */
describe('the data of version 0.1.0, opened by this version', () => {
  let world: World
  let ada: ApiCaller
  let admin: ApiCaller

  const signIn = async (identifier: string, password: string): Promise<ApiCaller> => {
    const { status, body, text } = await world.at().post('/api/auth/login', { identifier, password })
    expect(status, text).toBe(200)
    return world.at().with({ authorization: `Bearer ${(body as { token: string }).token}` })
  }
  const chatCalled = async (title: string) => {
    const list = await ada.call(chatRoutes.history, { query: {} })
    const id = list.body.find((chat) => chat.title === title)?._id ?? ''
    return (await ada.call(chatRoutes.get, { params: { id }, query: { limit: 50 } })).body
  }
  const ask = async (message: string, chatId?: string): Promise<string> => {
    const body = { message, model: 'v3', clientMessageId: newId(), ...(chatId !== undefined && { chatId }) }
    const frames = await collect(readEvents(await ada.open('POST', '/api/chat', { body })))
    expect(frames.at(-1)?.data).toBe('[DONE]')
    return (JSON.parse(frames[0]?.data ?? '{}') as StartEvent).chatId
  }

  beforeAll(async () => {
    const sql = gunzipSync(await readFile(new URL('version-0.1.0.sql.gz', import.meta.url))).toString()
    world = await openWorld(1, undefined, { sql, secret })
    ada = await signIn('ada', userPassword)
    admin = await signIn('admin', adminPassword)
  })
  afterAll(() => world.close())

  it('lets its users in with their passwords, but none who was banned, and keeps the key that signs tokens', async () => {
    const eve = await signIn('eve', userPassword)
    expect((await eve.get('/api/user/credits')).status).toBe(403)
    const keys = await world.query<{ kid: string }>('select kid from auth.signing_keys order by created_at')
    const { keys: published } = (await world.at().get('/api/auth/.well-known/jwks.json')).body as {
      keys: { kid: string }[]
    }
    expect(published.map(({ kid }) => kid)).toEqual(keys.map(({ kid }) => kid))
    expect(keys).toHaveLength(1)
  })

  it('keeps chats with their titles, texts, versions, ratings, pictures and search, without the deleted one', async () => {
    const list = await ada.call(chatRoutes.history, { query: {} })
    expect(list.body.map(({ title, pinned, messageCount }) => [title, pinned, messageCount])).toEqual([
      ['Explain heat pumps with a table', true, 7],
      ['A renamed chat', false, 2],
    ])
    const { messages } = await chatCalled('Explain heat pumps with a table')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant'])
    expect(messages[1]).toMatchObject({
      content: expect.stringMatching(/^This is a \*\*demo answer.*/),
      credits: 1,
      feedback: { rating: 'up' },
    })
    expect(messages[3]?.versions).toHaveLength(2)
    const renamed = await chatCalled('A renamed chat')
    const pictures = [renamed.messages[0], messages[5]].flatMap((message) => message?.attachments ?? [])
    expect(pictures.map(({ mimeType }) => mimeType)).toEqual(['image/png', 'image/png'])
    for (const { url, size } of pictures) {
      const { status, headers } = await ada.get(url)
      expect([status, headers['content-length']]).toEqual([200, String(size)])
    }
    const found = await ada.call(chatRoutes.history, { query: { query: 'heat pumps' } })
    expect(found.body).toMatchObject([{ title: 'Explain heat pumps with a table' }])
    expect((await ada.get('/api/finance/watchlist')).body).toEqual({ symbols: ['AAPL', 'MSFT'] })
  })

  it('keeps credits, plans, models, settings and the audit log', async () => {
    expect((await ada.get('/api/user/credits')).body).toMatchObject({ plan: { name: 'Free' }, held: 0 })
    const granted = await world.query(
      `select granted::int from billing.accounts join auth.users on id = user_id where username = 'ada'`,
    )
    expect(granted).toEqual([{ granted: 500 }])
    const { plans } = (await admin.get('/api/admin/plans')).body as { plans: { name: string }[] }
    expect(plans).toContainEqual(
      expect.objectContaining({ name: 'Team', description: 'For teams', monthlyCredits: 1000 }),
    )
    const { models } = (await admin.get('/api/admin/models')).body as { models: { id: string }[] }
    expect(models.find(({ id }) => id === 'v3')).toMatchObject({ fallbackModels: ['gpt-5.4-mini'] })
    expect((await admin.get('/api/admin/settings')).body).toMatchObject({ emailVerificationRequired: false })
    const { entries } = (await admin.get('/api/admin/audit')).body as { entries: { action: string }[] }
    expect(entries.map(({ action }) => action)).toEqual([
      'model.changed',
      'plan.created',
      'user.banned',
      'credits.granted',
      'settings.changed',
    ])
  })

  it('continues: an old chat is answered, charged with a receipt and shared, and a guest and an API key are served', async () => {
    const { _id } = await chatCalled('A renamed chat')
    world.provider.reply({ chunks: ['A new answer.'] })
    expect(await ask('A new question', _id)).toBe(_id)
    expect((await chatCalled('A renamed chat')).messages.at(-1)).toMatchObject({ content: 'A new answer.', credits: 1 })
    const receipts = async () => ((await ada.get('/api/user/receipts')).body as { items: unknown[] }).items
    await expect.poll(receipts, patience).toHaveLength(1)
    const { id } = (await ada.post('/api/share', { chatId: _id })).body as { id: string }
    expect((await world.at().get(`/api/share/${id}`)).text).toContain('A new answer.')
    const key = ((await ada.post('/api/user/keys', { label: 'Test' })).body as { secret: string }).secret
    const program = world.at().with({ authorization: `Bearer ${key}` })
    const body = { model: 'v3', messages: [{ role: 'user', content: 'Hello' }] }
    expect((await steadily(() => program.post('/api/v1/chat/completions', body))).status).toBe(200)
    const guest = { message: 'Hello', clientMessageId: newId() }
    expect((await world.at().post('/api/chat', guest, { headers: { accept: 'application/json' } })).status).toBe(200)
  })

  it('leaves no fault: books that agree, no dead letter, no event waiting', async () => {
    const health = async () => (await admin.get('/api/admin/health')).body
    await expect.poll(health, patience).toMatchObject({ deadLetters: [] })
    for (const query of Object.values(ledgerFaults)) expect(await world.query(query)).toEqual([])
    for (const schema of ['auth', 'billing', 'chat', 'llm_router', 'notifier']) {
      await expect.poll(() => world.query(`select from ${schema}.outbox`), patience).toEqual([])
    }
  })

  it('is erased with its account', async () => {
    const [owner] = await world.query<{ id: string }>(`select id from auth.users where username = 'ada'`)
    const { status, text } = await ada.delete('/api/user', { password: userPassword })
    expect([200, 202, 204], text).toContain(status)
    const left = async () =>
      await world.query(
        'select from chat.chats where owner_id = $1 union all select from billing.accounts where user_id = $1',
        [owner?.id],
      )
    await expect.poll(left, patience).toEqual([])
  })
})
