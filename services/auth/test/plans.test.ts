import { openPostgres } from '@parley/db'
import { testLog } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { type Kysely, type OperationNodeSource, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAuthStores } from '../src/store/index.ts'
import { deleteOverSessions } from '../src/store/sweep-store.ts'
import type { AuthTables } from '../src/store/tables.ts'
import { createUserAdminStore, pageOfUsers } from '../src/store/user-admin-store.ts'

let database: TestDatabase
let tables: { readonly db: Kysely<AuthTables>; close(): Promise<void> }
beforeAll(async () => {
  database = await testDatabase()
  const stores = openAuthStores({ url: database.url, log: testLog })
  await stores.migrate()
  await stores.close()
  tables = openPostgres<AuthTables>({ url: database.url, schema: 'auth', log: testLog })
  await sql`insert into users (id, username, username_key, email, email_key)
    select 'u' || n, name, name, mail, mail from generate_series(1, 2000) as n,
      lateral (select md5(n::text) as name, md5(n::text || 'mail') || '@example.test' as mail)`.execute(tables.db)
  await sql`insert into sessions (id, user_id, expires_at, user_agent, network)
    select 's' || n, 'u' || n, now() + interval '30 days', '', '' from generate_series(1, 2000) as n`.execute(tables.db)
  await sql`update sessions set ended_at = now() - interval '8 days' where id = 's7'`.execute(tables.db)
  await sql`analyze users, sessions`.execute(tables.db)
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

it('a search among thousands of users goes by the index of their trigrams, for a part of a name and of an address', async () => {
  const { username, email } = await tables.db
    .selectFrom('users')
    .select(['username', 'email'])
    .where('id', '=', 'u1321')
    .executeTakeFirstOrThrow()
  for (const query of [username.slice(5, 15), email.slice(20, 36), username.slice(8, 20).toUpperCase()]) {
    const page = { query, limit: 50, before: undefined }
    expect(await planOf(pageOfUsers(tables.db, page))).toMatch(/Bitmap Index Scan on users_search/)
    const found = await createUserAdminStore(tables.db).list(page)
    expect(found.map(({ id }) => id)).toEqual(['u1321'])
  }
})

it('a search for less than three characters finds what has them', async () => {
  const page = { query: 'a0', limit: 500, before: undefined }
  const found = await createUserAdminStore(tables.db).list(page)
  expect(found.length).toBeGreaterThan(20)
  expect(found.filter(({ username, email }) => !username.includes('a0') && !email.includes('a0'))).toEqual([])
})

it('the sweep of sessions goes by the index of when they were over', async () => {
  expect(await planOf(deleteOverSessions(tables.db))).toMatch(/Index Scan .*sessions_over/)
  await deleteOverSessions(tables.db).execute()
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from sessions`.execute(tables.db)
  expect(rows).toEqual([{ left: 1_999 }])
})
