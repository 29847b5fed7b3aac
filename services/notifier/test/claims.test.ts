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

it('a mail claimed by a dead replica is claimed by another one after five minutes, not before', async () => {
  await one.deliveries.queue({ eventId: 'e1', kind: 'verification', subjectId: 'v1', userId: null, about: null })
  expect(await one.deliveries.claim(3, [])).toMatchObject([{ eventId: 'e1', attempts: 1 }])
  const pass = (interval: string) =>
    tables.pool.query('update deliveries set claimed_until = claimed_until - $1::interval', [interval])
  await pass('290 seconds')
  expect(await two.deliveries.claim(3, [])).toEqual([])
  await pass('11 seconds')
  expect(await two.deliveries.claim(3, [])).toMatchObject([{ eventId: 'e1', attempts: 2 }])
})

it('a replica does not claim a mail that it has at hand, even if its claim has expired', async () => {
  for (const eventId of ['h1', 'h2'])
    await one.deliveries.queue({ eventId, kind: 'verification', subjectId: 'v1', userId: null, about: null })
  expect(await one.deliveries.claim(3, ['h1'])).toMatchObject([{ eventId: 'h2' }])
  await tables.pool.query("update deliveries set claimed_until = now() where event_id in ('h1', 'h2')")
  expect(await one.deliveries.claim(3, ['h1', 'h2'])).toEqual([])
  expect(await two.deliveries.claim(3, [])).toHaveLength(2)
})

it('a mail is not postponed by a replica whose claim has passed to another one', async () => {
  await one.deliveries.queue({ eventId: 'e2', kind: 'verification', subjectId: 'v2', userId: null, about: null })
  const late = await one.deliveries.claim(3, [])
  await tables.pool.query(`update deliveries set claimed_until = now() where event_id = 'e2'`)
  const current = await two.deliveries.claim(3, [])
  for (const claimed of late) await one.deliveries.postpone(claimed, 0, 'too late')
  expect(await one.deliveries.claim(3, [])).toEqual([])
  for (const claimed of current) await two.deliveries.postpone(claimed, 0, 'full '.repeat(200))
  const { rows } = await tables.pool.query("select length(last_error) from deliveries where event_id = 'e2'")
  expect(rows).toEqual([{ length: 500 }])
  expect(await one.deliveries.claim(3, [])).toMatchObject([{ eventId: 'e2', attempts: 3 }])
})

it('settled mails are counted for a day and kept for thirty; one that waits is kept however old it is', async () => {
  await tables.pool.query('delete from deliveries')
  await tables.pool.query(`
    insert into deliveries (event_id, kind, subject_id, state, finished_at, created_at)
    select name, 'verification', 'v3', state, now() - age::interval, now() - interval '90 days'
    from (values
      ('old', 'sent', '31 days'), ('recent', 'failed', '29 days'), ('of today', 'sent', '23 hours'), ('waiting', 'queued', null)
    ) as mails (name, state, age)
  `)
  expect(await one.deliveries.settled(100)).toMatchObject({ sent: 1, failed: 0 })
  await one.deliveries.sweep()
  const { rows } = await tables.pool.query('select event_id from deliveries order by event_id')
  expect(rows.map(({ event_id: name }) => name)).toEqual(['of today', 'recent', 'waiting'])
})
