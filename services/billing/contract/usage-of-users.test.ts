import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, openPostgres } from '@parley/db'
import { testLog as log } from '@parley/testing'
import { type TestDatabase, testDatabase } from '@parley/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BillingStores, openBillingStores } from '../src/store/index.ts'
import type { UsageItem } from '../src/store/usage-sums.ts'

const schema = 'billing'
const counts = 'errors, input_tokens, output_tokens, credits, estimated, response_ms, timed'

let database: TestDatabase
let stores: BillingStores
let tables: ReturnType<typeof openPostgres>

/** Adds usage of forty users over fourteen months as the previous version does, which has no yearly sums. */
async function countAsBefore(first: number, last: number): Promise<void> {
  for (const [table, of] of [
    ['usage_days', 'day'],
    ['usage_months', 'month'],
  ]) {
    await tables.pool.query(
      `insert into ${table} as had (day, user_id, key_id, model, requests, ${counts})
       select date_trunc('${of}', date '2016-11-20' + (n * 7 + k * 37) % 420)::date, 'user-' || n, '', 'm' || k % 2,
         sum(1 + (n * 31 + k * 17) % 9), 0, 0, 0, 0, false, 0, 0
       from generate_series(1, 40) as n, generate_series($1::int, $2::int) as k group by 1, 2, 4
       on conflict (user_id, day, model, key_id) do update set requests = had.requests + excluded.requests`,
      [first, last],
    )
  }
}

beforeAll(async () => {
  database = await testDatabase()
  const { url } = database
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'))
  const all = fileURLToPath(new URL('../migrations', import.meta.url))
  for (const name of await readdir(all)) if (name < '0018') await cp(join(all, name), join(dir, name))
  await migrate({ url, schema, dir, log })
  await rm(dir, { recursive: true })
  tables = openPostgres({ url, schema, log })
  await countAsBefore(1, 15)
  stores = openBillingStores({ url, log })
  await stores.migrate()
  await countAsBefore(10, 30)
})
afterAll(async () => {
  await Promise.all([stores.close(), tables.close()])
  await database.drop()
})

it.each([
  ['a year', '2017-01-01', '2017-12-31'],
  ['a year until today', '2017-01-26', '2018-01-25'],
  ['a year from the middle of a month', '2016-12-16', '2017-12-15'],
  ['a month and days of its neighbours, over a year', '2016-11-25', '2017-01-20'],
  ['days of two months', '2017-03-20', '2017-04-10'],
  ['more years than there are', '2014-06-10', '2019-02-03'],
  ['a time without use', '2012-01-01', '2013-12-31'],
])(
  'the users with the most requests in %s are listed by pages from usage before and after the upgrade',
  async (_which, from, to) => {
    const { rows } = await tables.pool.query(
      `select user_id as id, sum(requests)::bigint as requests, array_agg(day::text order by day) as dates from (
         select user_id, day, sum(requests) as requests from usage_days where day between $1 and $2 group by user_id, day
       ) as each group by user_id order by requests desc, user_id collate "C"`,
      [from, to],
    )
    for (const limit of [1, 3, 7, 100]) {
      const found: UsageItem[] = []
      for (let isMore = true; isMore; ) {
        const last = found.at(-1)
        const after = last && { seq: last.requests, value: last.id }
        const page = await stores.usage.ofAll({ from, to, today: '2018-01-25' }, 'user', { limit, after })
        found.push(...page)
        isMore = page.length === limit
      }
      expect(found.map(({ id, requests, days }) => ({ id, requests, dates: days.map(({ date }) => date) }))).toEqual(
        rows,
      )
    }
  },
)

it('all users or keys of a period are read in parts, as all of them with their days are too many for the memory', async () => {
  await tables.pool.query(
    `insert into usage_days (day, user_id, key_id, model, requests, ${counts})
     select date '2011-05-05' + k, 'many-' || n, 'key-' || n, 'm', n % 7 + 1, 0, 0, 0, 0, false, 0, 0
     from generate_series(1, 1500) as n, generate_series(0, 1) as k`,
  )
  const days = { from: '2011-05-05', to: '2011-05-06', today: '2018-01-25' }
  for (const by of ['user', 'key'] as const) {
    const parts = await Array.fromAsync(stores.usage.everyItem(days, by))
    expect(parts.map(({ length }) => length)).toEqual([1_000, 500])
    expect(parts.flat()).toEqual(await stores.usage.ofAll(days, by, { limit: 2_000, after: undefined }))
  }
})

it('an erased user is removed from yearly sums, and the others’ sums stay', async () => {
  const users = async () => (await tables.pool.query('select distinct user_id as id from usage_years')).rows
  expect(await users()).toHaveLength(40)
  await stores.erasures.erase('user-7')
  expect(await users()).toHaveLength(39)
  expect(await users()).not.toContainEqual({ id: 'user-7' })
})
