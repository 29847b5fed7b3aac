import type { Page } from '@parley/kit'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { dayBefore, monthsTouched, monthsWithin, type Period, type YearMonth } from '../usage/period.ts'
import type { BillingDatabase } from './schema.ts'
import { dailyOf, sumsOfDay, totals, type UsageItem } from './usage-sums.ts'

type Db = Kysely<BillingDatabase>

/** A page of the users or keys with the most requests. The page is determined by requests alone; other sums are read for its rows only. */
export const ofOwners = (db: Db, days: Period, by: 'user' | 'key', page: Page): Promise<UsageItem[]> =>
  readGrouped(db, usageOf(days, by, ranked(days, by, page)))

const ownersAtOnce = 1_000

/** All users or keys, those with the most requests first, in parts. An owner without usage by the time of their part is left out. */
export async function* everyOwner(db: Db, days: Period, by: 'user' | 'key'): AsyncGenerator<UsageItem[]> {
  const all = { limit: Number.MAX_SAFE_INTEGER, after: undefined }
  const ids = (await readGrouped<{ id: string }>(db, ranked(days, by, all))).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += ownersAtOnce) {
    yield await readGrouped(
      db,
      usageOf(days, by, sql`select unnest(${ids.slice(at, at + ownersAtOnce)}::text[]) as id`),
    )
  }
}

/** The usage of owners, from rows with their ids. */
function usageOf(days: Period, by: 'user' | 'key', ids: RawBuilder<unknown>): RawBuilder<unknown> {
  const owner = sql.ref(`${by}_id`)
  return sql`
    with most as materialized (${ids})
    select most.id, used.* from most, lateral (
      select ${totals}, ${dailyOf} from (
        select day, ${sumsOfDay} from usage_days
        where ${owner} = most.id and ${owner} <> '' and day between ${days.from} and ${days.to} group by day
      ) as each
    ) as used
    where requests is not null
    order by requests desc, most.id collate "C"`
}

const readGrouped = <Row = UsageItem>(db: Db, query: RawBuilder<unknown>): Promise<Row[]> =>
  db.transaction().execute(async (tx) => {
    // Avoids temporary files when grouping by user.
    await sql`set local work_mem = '32MB'`.execute(tx)
    return (await query.execute(tx)).rows as Row[]
  })

/** The owners on a page: whole months from yearly or monthly sums, the rest of the period from daily ones. Those of keys are read from an index alone. */
function ranked(days: Period, by: 'user' | 'key', { limit, after: place }: Page): RawBuilder<unknown> {
  const owner = sql.ref(`${by}_id`)
  const { first, after } = monthsWithin(days)
  const beyond = place === undefined ? sql`` : sql`and ${behind(place, sql`sum(used)`, sql`id`)}`
  return sql`
    select id from (
      ${first === after ? sql`` : sql`${ofWholeMonths(first, after, by)} union all`}
      select ${owner}, ${exact(sql`requests`)} from usage_days where day >= ${days.from} and day < ${first}
      union all select ${owner}, ${exact(sql`requests`)} from usage_days where day >= ${after} and day <= ${days.to}
    ) as parts (id, used)
    where id <> '' group by id having sum(used) > 0 ${beyond}
    order by sum(used) desc, id collate "C" limit ${limit}`
}

/** Whether a row comes after a cursor, in descending order of requests. */
export const behind = (
  { seq, value = '' }: NonNullable<Page['after']>,
  requests: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
) => sql<boolean>`(${requests} < ${seq} or ${requests} = ${seq} and ${id} collate "C" > ${value})`

/** As floating point, which is exact here and summed in half the time. */
const exact = (requests: RawBuilder<unknown>) => sql`${requests}::double precision`

/** Requests of the months from one first day, inclusive, to another, exclusive. */
function ofWholeMonths(first: string, after: string, by: 'user' | 'key'): RawBuilder<unknown> {
  if (by === 'key') {
    return sql`select key_id, ${exact(sql`requests`)} from usage_months where day >= ${first} and day < ${after} and key_id <> ''`
  }
  const { from, to } = monthsTouched({ from: first, to: dayBefore(after) })
  return sql`select user_id, ${exact(requestsOf(from, to))} from usage_years where year between ${from.year} and ${to.year}`
}

/** The requests of a row of `usage_years`, which has running sums, in an inclusive range of months. */
function requestsOf(from: YearMonth, to: YearMonth): RawBuilder<unknown> {
  const until = (month: number) => (month === 0 ? sql`0` : sql`requests[${sql.lit(month)}]`)
  return sql`(case
    when year = ${from.year} then ${until(from.year === to.year ? to.month : 12)} - ${until(from.month - 1)}
    when year = ${to.year} then ${until(to.month)}
    else ${until(12)} end)`
}
