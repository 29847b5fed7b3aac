import { openPostgres } from '@parley/db'
import { createLogger, newId, systemClock } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { expect, it } from 'vitest'
import { reconcileErasures } from '../src/account-data/reconcile-erasures.ts'
import { openAuthStores } from '../src/store/index.ts'

const log = createLogger('test', 'silent')

it('a bus that cannot forget yet is asked at growing intervals, without delaying other erasures', async () => {
  const database = await testDatabase()
  const stores = openAuthStores({ url: database.url, log })
  await stores.migrate()
  const { pool, close } = openPostgres({ url: database.url, schema: 'auth', log })
  const over = (id: string) =>
    pool.query(
      // Over for half a minute, which is how long the bus has rest after the first try: longer than this test takes.
      `insert into erasures (id, user_id, email, username, locale, pending, asked_at, erased_at, told_at)
       values ($1, $1, 'a@parley.test', 'a', 'en', '{}', now() - interval '1 minute', now() - interval '30 seconds', now() - interval '30 seconds')`,
      [id],
    )
  const pass = (seconds: number) =>
    pool.query(
      `update erasures set asked_at = asked_at - make_interval(secs => $1), told_at = told_at - make_interval(secs => $1)`,
      [seconds],
    )
  const asked: string[] = []
  const state = { forgets: false }
  const forget = async (ids: readonly string[]): Promise<boolean> => {
    asked.push(...ids)
    return state.forgets
  }
  /** Whom the bus is asked to forget by five looks at the present moment. */
  const looks = async (): Promise<string[]> => {
    asked.length = 0
    for (let nth = 0; nth < 5; nth += 1) await reconcileErasures({ stores, now: systemClock, newId, log }, { forget })
    return [...asked].sort()
  }

  const stuck = Array.from({ length: 20 }, (_none, nth) => `stuck ${nth}`).sort()
  for (const id of stuck) await over(id)
  expect(await looks()).toEqual(stuck)
  await over('new')
  expect(await looks()).toEqual(['new'])
  await pool.query(`delete from erasures where id = 'new'`)
  await pass(60)
  expect(await looks()).toEqual(stuck)
  await pass(60)
  expect(await looks()).toEqual([])
  await pass(60)
  expect(await looks()).toEqual(stuck)
  await pass(24 * 3_600)
  expect(await looks()).toEqual(stuck)
  await pass(280)
  expect(await looks()).toEqual([])
  await pass(40)
  state.forgets = true
  expect(await looks()).toEqual(stuck)
  expect((await pool.query('select from erasures')).rowCount).toBe(0)

  await close()
  await stores.close()
  await database.drop()
})

it('an erasure that the bus fails to forget delays no other one, and is closed when it is overdue', async () => {
  const database = await testDatabase()
  const stores = openAuthStores({ url: database.url, log })
  await stores.migrate()
  const { pool, close } = openPostgres({ url: database.url, schema: 'auth', log })
  for (const [nth, id] of ['overdue', 'failing', 'fine'].entries()) {
    await pool.query(
      // Taken over in this order.
      `insert into erasures (id, user_id, email, username, locale, pending, asked_at, erased_at, told_at)
       values ($1, $1, 'a@parley.test', 'a', 'en', '{}', now() - make_interval(mins => 9 - $2::int),
         now() - make_interval(hours => case when $1 = 'overdue' then 26 else 0 end), now() - interval '30 seconds')`,
      [id, nth],
    )
  }
  const forget = async ([id]: readonly string[]): Promise<boolean> => {
    if (id === 'fine') return true
    throw new Error('canceling statement due to statement timeout')
  }
  await reconcileErasures({ stores, now: systemClock, newId, log }, { forget })
  expect((await pool.query('select id from erasures')).rows).toEqual([{ id: 'failing' }])

  await close()
  await stores.close()
  await database.drop()
})
