import { openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotifierStores, openNotifierStores } from '../src/store/index.ts'

const log = createLogger('test', 'silent')
let database: TestDatabase
let tables: PostgresDatabase<object>
let one: NotifierStores
let two: NotifierStores
beforeAll(async () => {
  database = await testDatabase()
  one = openNotifierStores({ url: database.url, log })
  two = openNotifierStores({ url: database.url, log })
  await one.migrate()
  tables = openPostgres({ url: database.url, schema: 'notifier', log })
})
afterAll(async () => {
  await Promise.all([one.close(), two.close(), tables.close()])
  await database.drop()
})

it('a mail claimed by a dead replica is claimed by another one after two minutes, not before', async () => {
  await one.deliveries.queue({ eventId: 'e1', kind: 'verification', subjectId: 'v1', userId: null, about: null })
  expect(await one.deliveries.claim(3)).toMatchObject([{ eventId: 'e1', attempts: 1 }])
  const pass = (interval: string) =>
    tables.pool.query('update deliveries set claimed_until = claimed_until - $1::interval', [interval])
  await pass('110 seconds')
  expect(await two.deliveries.claim(3)).toEqual([])
  await pass('11 seconds')
  expect(await two.deliveries.claim(3)).toMatchObject([{ eventId: 'e1', attempts: 2 }])
})
