import { openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger } from '@parley/kit'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../src/engines/postgres.ts'

const log = createLogger('postgres-health-test', 'silent')
let database: TestDatabase
let postgres: PostgresDatabase<unknown>
beforeEach(async () => {
  database = await testDatabase()
  postgres = openPostgres({ url: database.url, schema: 'public', max: 2, log })
})
afterEach(async () => {
  await postgres.close()
  await database.drop()
})

test('a read-only server is not ready', async () => {
  await postgres.ping()
  const name = new URL(database.url).pathname.slice(1)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(postgres.db)
  // The setting only affects new connections.
  const later = openPostgres({ url: database.url, schema: 'public', log })
  await expect(later.ping()).rejects.toThrow('PostgreSQL is read-only')
  await later.close()
})
