import { openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger, createMetrics, newId } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createDeliverer, usualPace } from '../src/deliverer.ts'
import { createQueueWatch } from '../src/queue-metrics.ts'
import { type NotifierStores, openNotifierStores } from '../src/store/index.ts'

const log = createLogger('test', 'silent')
let database: TestDatabase
let tables: PostgresDatabase<object>
let stores: NotifierStores
let deliverer: ReturnType<typeof createDeliverer> | undefined
beforeAll(async () => {
  database = await testDatabase()
  stores = openNotifierStores({ url: database.url, log })
  await stores.migrate()
  tables = openPostgres({ url: database.url, schema: 'notifier', log })
})
afterEach(() => deliverer?.stop())
afterAll(async () => {
  await Promise.all([stores.close(), tables.close()])
  await database.drop()
})

/** Starts delivering, at the production pace, a mail of this age after `attempts` failed attempts. */
async function deliver(age: string, attempts: number, compose: () => Promise<undefined>) {
  const eventId = newId()
  await stores.deliveries.queue({ eventId, kind: 'verification', subjectId: 'v1', userId: null, about: null })
  await tables.pool.query(
    'update deliveries set attempts = $2, created_at = now() - $3::interval where event_id = $1',
    [eventId, attempts, age],
  )
  deliverer = createDeliverer({
    deliveries: stores.deliveries,
    compose,
    mailer: undefined as never,
    watch: createQueueWatch({ deliveries: stores.deliveries, metrics: createMetrics('notifier', false), log }),
    log,
    pace: usualPace,
  })
  deliverer.start()
  return async () => {
    const { rows } = await tables.pool.query(
      `select state, attempts, extract(epoch from next_attempt_at - now())::float8 as wait, claimed_until
       from deliveries where event_id = $1`,
      [eventId],
    )
    return rows[0] as { state: string; attempts: number; wait: number; claimed_until: Date | null }
  }
}
const inVain = async (): Promise<never> => {
  throw new Error('auth is unavailable')
}

it('a mail that could not be sent for a day is given up', async () => {
  const look = await deliver('24 hours', 100, inVain)
  await expect.poll(async () => (await look()).state).toBe('failed')
})

it('a mail is retried at least every ten minutes, after any number of failures', async () => {
  const look = await deliver('20 hours', 30, inVain)
  await expect.poll(look).toMatchObject({ state: 'queued', attempts: 31, claimed_until: null })
  expect((await look()).wait).toBeGreaterThan(500)
  expect((await look()).wait).toBeLessThanOrEqual(600)
})

it('a stop waits for the mail being sent', async () => {
  let finish: () => void = () => undefined
  const composing = new Promise<undefined>((resolve) => {
    finish = () => resolve(undefined)
  })
  let asked = false
  const look = await deliver('1 second', 0, () => {
    asked = true
    return composing
  })
  await expect.poll(() => asked).toBe(true)
  let isStopped = false
  const stopping = deliverer?.stop().then(() => {
    isStopped = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isStopped).toBe(false)
  finish()
  await stopping
  expect((await look()).state).toBe('dropped')
})
