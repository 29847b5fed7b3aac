import { newId } from '@parley/kit'
import { tinyPng } from '@parley/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, userPassword, type World } from './given.ts'

let world: World
let admin: Person
beforeAll(async () => {
  world = await openWorld()
  await world.settings(unlimited)
  admin = await world.admin()
})
afterAll(() => world.close())

const answerTo = async ({ api }: Person, message: string, more: object = {}): Promise<string> => {
  const answer = await api.open('POST', '/api/chat', {
    body: { message, model: 'v3', clientMessageId: newId(), ...more },
  })
  expect(answer.status).toBe(200)
  const text = await answer.body.text()
  return /"chatId":"([^"]+)"/.exec(text)?.[1] ?? ''
}

/** All tables of all schemas that have one of these texts in any column, including binary ones. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const columns = await world.query<{ name: string; cells: string }>(`
    select format('%I.%I', table_schema, table_name) as name,
      string_agg(
        case data_type when 'bytea' then format('encode(%I, ''escape'')', column_name) else format('%I::text', column_name) end,
        ', '
      ) as cells
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
    group by 1`)
  const found: string[] = []
  for (const { name, cells } of columns) {
    const rows = await world.query(
      `select from ${name} where exists (
        select from unnest($1::text[]) as wanted where strpos(lower(concat_ws(' ', ${cells})), lower(wanted)) > 0
      ) limit 1`,
      [texts],
    )
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}

/** A user with data in every store: chats, files, a watchlist, used credits, sessions, a former address, and audit entries by and about them. */
async function givenLife(person: Person): Promise<{ email: string }> {
  const { api, user } = person
  const image = `data:image/png;base64,${tinyPng}`
  const vision = { supportsImageAttachments: true }
  expect((await admin.api.patch('/api/admin/models/v3', vision)).status).toBe(200)
  const chatId = await answerTo(person, 'Look', { attachments: [{ dataUrl: image, name: 'a.png' }] })
  await answerTo(person, 'And then', { chatId })
  expect((await api.post('/api/share', { chatId, password: 'of the link' })).status).toBe(201)
  await api.delete(`/api/chat/history/${await answerTo(person, 'Not this')}`)
  await api.put('/api/finance/watchlist', { symbols: ['AAPL'] })
  const vectors = {
    id: `vectors-${newId()}`,
    name: 'Vectors',
    group: 'Test',
    provider: 'openai',
    modelType: 'embedding',
  }
  expect((await admin.api.post('/api/admin/models', vectors)).status).toBe(201)
  expect((await api.patch('/api/memory/settings', { semanticMemory: true })).status).toBe(200)
  // Test names look like secrets, which are not embedded.
  expect((await api.post('/api/memory', { text: 'I like boats' })).status).toBe(201)
  expect((await api.post('/api/memory', { text: `Remembered of ${user.username}` })).status).toBe(201)
  await api.patch('/api/user/profile', { displayName: `Display of ${user.username}` })
  await world.at().post('/api/auth/login', { identifier: user.username, password: userPassword })
  await world.at().post('/api/auth/login', { identifier: user.username, password: 'a wrong one' })
  expect((await admin.api.post(`/api/admin/users/${user._id}/credits`, { amount: 5 })).status).toBe(200)
  const target = `/api/admin/users/${user._id}`
  expect((await admin.api.patch(target, { isAdmin: true })).status).toBe(200)
  await expect.poll(async () => (await api.patch('/api/admin/models/v3', { name: 'Renamed' })).status).toBe(200)
  const plan = { name: `Plan ${newId()}`, monthlyCredits: 7 }
  expect((await api.post('/api/admin/plans', plan)).status).toBe(201)
  expect((await admin.api.post('/api/admin/plans/none/default')).status).toBe(404)
  expect((await api.post('/api/user/data-export')).status).toBe(202)
  const made = await api.post('/api/user/keys', { label: `Key of ${user.username}` })
  expect(made.status).toBe(201)
  const authorization = `Bearer ${(made.body as { secret: string }).secret}`
  const asked = { model: 'v3', messages: [{ role: 'user', content: 'By key' }] }
  const headers = { authorization, 'idempotency-key': 'once' }
  expect((await world.at().post('/api/v1/chat/completions', asked, { headers })).status).toBe(200)
  const response = { model: 'v3', input: 'By key' }
  expect((await world.at().post('/api/v1/responses', response, { headers: { authorization } })).status).toBe(200)
  const email = `new-${user.email}`
  const changed = { username: user.username, newEmail: email, password: userPassword }
  expect((await api.post('/api/auth/update-email', changed)).status).toBe(200)
  await world.mailTo(email)
  return { email }
}

it('the data of a deleted account is erased from every table', async () => {
  const person = await world.register()
  const other = await world.register()
  await answerTo(other, 'I stay')
  const { user, api } = person
  const { email } = await givenLife(person)
  const texts = [user._id, user.username, user.email, email]
  await expect.poll(() => tablesWith(user._id)).toContain('billing.usage_days')
  await expect
    .poll(() => tablesWith(...texts))
    .toEqual(
      expect.arrayContaining([
        'auth.audit',
        'auth.email_changes',
        'auth.sessions',
        'auth.users',
        'auth.verifications',
        'billing.accounts',
        'billing.api_keys',
        'billing.generations',
        'billing.holds',
        'billing.ledger',
        'billing.plans',
        'bus.log',
        'chat.chats',
        'chat.files',
        'chat.messages',
        'chat.sends',
        'chat.watchlists',
        'llm_router.idempotent_requests',
        'llm_router.models',
        'llm_router.stored_responses',
        'memory.memories',
        'memory.memory_accounts',
        'memory.memory_vectors',
        'notifier.deliveries',
        'share.share_links',
        'share.share_pages',
        'share.share_snapshots',
      ]),
    )
  const deleted = await api.delete('/api/user', { password: userPassword })
  expect([deleted.status, deleted.body]).toEqual([202, { message: expect.any(String) }])
  expect((await api.get('/api/user/profile')).status).toBe(401)
  expect((await api.delete('/api/user', { password: userPassword })).status).toBe(401)

  await expect.poll(() => world.mailTo(email)).toMatch(/deleted|erased/i)
  await expect.poll(() => tablesWith(...texts)).toEqual([])
  const kept = await other.api.get('/api/chat/history')
  expect(kept.body).toHaveLength(1)

  const login = await world.at().post('/api/auth/login', { identifier: email, password: userPassword })
  expect([login.status, login.body]).toMatchObject([
    401,
    { error: 'Login failed. Please check your credentials and try again.' },
  ])
  const taken = { username: user.username, email: user.email, password: userPassword }
  expect((await world.at().post('/api/auth/register', taken)).status).toBe(201)
  const listed = await admin.api.get(`/api/admin/users?query=${user.username}`)
  const [{ _id: newOne } = { _id: '' }, ...more] = (listed.body as { users: { _id: string }[] }).users
  expect([more, newOne.length]).toEqual([[], user._id.length])
  expect(newOne).not.toBe(user._id)
})
