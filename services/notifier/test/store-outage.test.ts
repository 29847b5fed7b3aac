import { openPostgres, type PostgresDatabase } from '@parley/db'
import { createLogger, createMetrics } from '@parley/kit'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDeliverer } from '../src/deliverer.ts'
import { createQueueWatch } from '../src/queue-metrics.ts'
import { type NotifierStores, openNotifierStores } from '../src/store/index.ts'
import { quick } from './given.ts'

const log = createLogger('test', 'silent')
let database: TestDatabase
let tables: PostgresDatabase<object>
let stores: NotifierStores
beforeAll(async () => {
  database = await testDatabase()
  stores = openNotifierStores({ url: database.url, log })
  await stores.migrate()
  tables = openPostgres({ url: database.url, schema: 'notifier', log })
})
afterAll(async () => {
  await Promise.all([stores.close(), tables.close()])
  await database.drop()
})

it('a mail that the SMTP server accepted is not sent again although its outcome could not be stored before its claim expired', async () => {
  const { deliveries } = stores
  const mails: string[] = []
  let [claims, isAway] = [0, true]
  const deliverer = createDeliverer({
    deliveries: {
      ...deliveries,
      claim: async (...asked) => {
        const claimed = await deliveries.claim(...asked)
        claims += 1
        return claimed
      },
      settle: async (...outcome) => {
        if (isAway) throw new Error('the store is unavailable')
        await deliveries.settle(...outcome)
      },
    },
    compose: async ({ eventId }) => ({ messageId: eventId }) as never,
    mailer: {
      send: async ({ messageId }) => {
        mails.push(messageId)
        return {}
      },
      close: () => undefined,
    },
    watch: createQueueWatch({ deliveries, metrics: createMetrics('notifier', false), log }),
    log,
    pace: quick,
  })
  await deliveries.queue({ eventId: 'e1', kind: 'verification', subjectId: 'v1', userId: null, about: null })
  deliverer.start()
  try {
    await expect.poll(() => mails).toEqual(['e1'])
    await tables.pool.query('update deliveries set claimed_until = now()')
    const before = claims
    // One claim may have begun before the update.
    await expect.poll(() => claims).toBeGreaterThan(before + 1)
    isAway = false
    const stateOf = async () => (await tables.pool.query('select state, attempts from deliveries')).rows
    await expect.poll(stateOf).toEqual([{ state: 'sent', attempts: 1 }])
    expect(mails).toEqual(['e1'])
  } finally {
    isAway = false
    await deliverer.stop()
  }
})
