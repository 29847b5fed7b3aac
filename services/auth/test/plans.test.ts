import { openPostgres } from '@parley/db'
import { testLog } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { type Kysely, type OperationNodeSource, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageOfAudit } from '../src/store/administration/audit-store.ts'
import { createUserAdminStore, pageOfUsers } from '../src/store/administration/user-admin-store.ts'
import { openAuthStores } from '../src/store/index.ts'
import { deleteOverSessions } from '../src/store/sweep-store.ts'
import type { AuthTables } from '../src/store/tables.ts'

let database: TestDatabase
let tables: { readonly db: Kysely<AuthTables>; close(): Promise<void> }
beforeAll(async () => {
  database = await testDatabase()
  const stores = openAuthStores({ url: database.url, log: testLog })
  await stores.migrate()
  await stores.close()
  tables = openPostgres<AuthTables>({ url: database.url, schema: 'auth', log: testLog })
  // A part at a time: what names are found by takes its time on a crowded machine, and no statement has more than some seconds.
  for (let from = 1; from <= 2_000; from += 250) {
    await sql`insert into users (id, username, username_key, email, email_key)
      select 'u' || n, name, name, mail, mail from generate_series(${from}::int, ${from + 249}::int) as n,
        lateral (select md5(n::text) as name, md5(n::text || 'mail') || '@example.test' as mail)`.execute(tables.db)
  }
  await sql`insert into sessions (id, user_id, expires_at, user_agent, network)
    select 's' || n, 'u' || n, now() + interval '30 days', '', '' from generate_series(1, 2000) as n`.execute(tables.db)
  await sql`update sessions set ended_at = now() - interval '8 days' where id = 's7'`.execute(tables.db)
  await sql`insert into audit (id, at, actor_id, actor_name, action, target, request_id)
    select 'e' || n, now() - n * interval '1 minute', 'a' || n % 40, '', 'action-' || n % 40, 't' || n % 40, ''
    from generate_series(1, 4000) as n`.execute(tables.db)
  await sql`analyze users, sessions, audit`.execute(tables.db)
})
afterAll(async () => {
  await tables.close()
  await database.drop()
})

/** The lines of a query's plan. */
async function planOf(query: OperationNodeSource): Promise<string> {
  const { rows } = await sql<Record<string, string>>`explain ${query}`.execute(tables.db)
  return rows.map((line) => line['QUERY PLAN']).join('\n')
}

const first = { limit: 50, after: undefined }
const newest = { sort: 'createdAt', order: 'desc' } as const

it('a search among thousands of users uses the trigram index, for parts of names and addresses', async () => {
  const { username, email } = await tables.db
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', 'u1321')
    .executeTakeFirstOrThrow()
  for (const query of [username.slice(5, 15), email.slice(20, 36), username.slice(8, 20).toUpperCase()]) {
    const filter = { query, ...newest }
    expect(await planOf(pageOfUsers(tables.db, first, filter))).toMatch(/Bitmap Index Scan on users_search/)
    const found = await createUserAdminStore(tables.db).list(first, filter)
    expect(found.map(({ id }) => id)).toEqual(['u1321'])
  }
})

it.each(['a0', 'A', '@e'])(
  'a search for less than three characters, %s, finds exactly the users whose name or address contains them',
  async (query) => {
    const found = await createUserAdminStore(tables.db).list({ ...first, limit: 5_000 }, { query, ...newest })
    const part = query.toLowerCase()
    const { rows } = await sql<{ id: string }>`
    select id from users where strpos(username_key, ${part}) > 0 or strpos(email, ${part}) > 0 order by seq desc`.execute(
      tables.db,
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(found.map(({ id }) => ({ id }))).toEqual(rows)
  },
)

it.each(['z', 'zz', '%', 'q_'])('a search for a rare short text, %s, uses the index of short parts', async (query) => {
  const filter = { query, ...newest }
  expect(await planOf(pageOfUsers(tables.db, first, filter))).toMatch(/Bitmap Index Scan on users_search_short/)
  expect(await createUserAdminStore(tables.db).list(first, filter)).toEqual([])
})

it.each(['e', 'example'])('a search for %s among given users does not compute parts of their names', async (query) => {
  const ids = Array.from({ length: 100 }, (_, n) => `u${n + 1}`)
  const filter = { query, ids, ...newest }
  expect(await planOf(pageOfUsers(tables.db, { ...first, limit: 200 }, filter))).not.toMatch(/grams/)
  expect(await createUserAdminStore(tables.db).list({ ...first, limit: 200 }, filter)).toHaveLength(100)
})

it.each(['e', 'ex'])('a search for a text that all have, %s, fills a page by the index of the order', async (query) => {
  expect(await planOf(pageOfUsers(tables.db, first, { query, ...newest }))).toMatch(
    /Index Scan Backward using users_seq_key/,
  )
})

it.each([
  ['newest first', { seq: 900 }, newest, /Index Scan Backward using users_seq_key/],
  ['by name', { seq: 900, value: 'a0' }, { sort: 'username', order: 'asc' }, /Index Scan using users_by_name/],
  ['by their last sign-in', { seq: 900, value: '0' }, { sort: 'lastLoginAt', order: 'desc' }, /users_by_last_login/],
  ['banned ones', { seq: 900 }, { ...newest, banned: true }, /users_banned/],
  ['admins', { seq: 900 }, { ...newest, admin: true }, /users_admin/],
  ['those of single sign-on', { seq: 900 }, { ...newest, type: 'oauth' }, /users_by_single_sign_on/],
] as const)('a later page of users, %s, uses an index and sorts nothing', async (_which, after, filter, index) => {
  const plan = await planOf(pageOfUsers(tables.db, { limit: 50, after }, filter))
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/Seq Scan on users/)
})

it.each([
  ['all of it', {}, /audit_newest/],
  ['of an actor', { actor: 'a1' }, /audit_of_actor/],
  ['of an action', { action: 'action-1' }, /audit_of_action/],
  ['of a target', { target: 't1' }, /audit_of_target/],
  ['of a period', { from: new Date('2020-01-02'), until: new Date('2020-01-03') }, /audit_newest/],
] as const)('a later page of the audit log, %s, uses an index and sorts nothing', async (_which, filter, index) => {
  const after = { seq: 900, value: String(Date.now() * 1000) }
  const plan = await planOf(pageOfAudit(tables.db, { limit: 5, after }, filter))
  expect(plan).toMatch(index)
  expect(plan).not.toMatch(/Sort|Seq Scan/)
})

it('the sweep of sessions uses the index of their ends', async () => {
  expect(await planOf(deleteOverSessions(tables.db))).toMatch(/Index Scan .*sessions_over/)
  await deleteOverSessions(tables.db).execute()
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from sessions`.execute(tables.db)
  expect(rows).toEqual([{ left: 1_999 }])
})
