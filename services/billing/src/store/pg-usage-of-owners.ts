import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Days, dayBefore, monthsTouched, monthsWithin, type YearMonth } from '../usage/period.ts'
import type { BillingDatabase } from './schema.ts'
import type { UsageItem } from './usage-store.ts'
import { dailyOf, totals } from './usage-sums.ts'

type Db = Kysely<BillingDatabase>
/** Of how many users a page would no longer be found sooner than all of them. */
const mostRanked = 1_000

/** Sums of the users or keys with the most requests: of whole months from those of months, at the ends of the period from those of days. */
export async function ofOwners(db: Db, days: Days, by: 'user' | 'key', limit: number): Promise<UsageItem[]> {
  const owner = sql.ref(`${by}_id`)
  const { first, after } = monthsWithin(days)
  const isRanked = by === 'user' && first < after && limit <= mostRanked
  const ranked = isRanked ? sql`likeliest as materialized (${likeliest(days, limit)}),` : sql``
  const among = isRanked ? sql`and user_id = any(array(select user_id from likeliest))` : sql``
  const read = sql<UsageItem>`
    with ${ranked} parts as (
      select * from usage_months where day >= ${first} and day < ${after} ${among}
      union all select * from usage_days where day >= ${days.from} and day < ${first} ${among}
      union all select * from usage_days where day >= ${after} and day <= ${days.to} ${among}
    ), most as materialized (
      select ${owner} as id, ${totals} from parts where ${owner} <> '' group by ${owner}
      order by requests desc, ${owner} collate "C" limit ${limit}
    )
    select most.*, daily.days from most, lateral (
      select ${dailyOf} from (
        select day, sum(requests) as requests, sum(credits) as credits from usage_days
        where ${owner} = most.id and ${owner} <> '' and day between ${days.from} and ${days.to} group by day
      ) as each
    ) as daily
    order by requests desc, most.id collate "C"`
  return await db.transaction().execute(async (tx) => {
    // What is grouped by every user does not go through files.
    await sql`set local work_mem = '32MB'`.execute(tx)
    return (await read.execute(tx)).rows
  })
}

/**
 * The users among whom are those with the most requests of days in which there are whole months: whose requests of every month that the days touch
 * reach what so many users have in the whole months alone.
 */
function likeliest(days: Days, limit: number): RawBuilder<unknown> {
  const touched = monthsTouched(days)
  const { first, after } = monthsWithin(days)
  const whole = monthsTouched({ from: first, to: dayBefore(after) })
  return sql`
    with bounds as (
      select user_id, sum(${requestsOf(whole)}) as least, sum(${requestsOf(touched)}) as most
      from usage_years where year between ${touched.from.year} and ${touched.to.year} group by user_id
    )
    select user_id from bounds
    where most > 0 and most >= coalesce((select least from bounds order by least desc offset ${limit - 1} limit 1), 0)`
}

/** The requests of a row of `usage_years`, which are running sums, in months, both ends within. */
function requestsOf({ from, to }: { readonly from: YearMonth; readonly to: YearMonth }): RawBuilder<unknown> {
  const until = (month: number) => (month === 0 ? sql`0` : sql`requests[${sql.lit(month)}]`)
  // As floating point, which is exact here and added up in half the time.
  return sql`(case
    when year = ${from.year} then ${until(from.year === to.year ? to.month : 12)} - ${until(from.month - 1)}
    when year = ${to.year} then ${until(to.month)}
    when year between ${from.year} and ${to.year} then ${until(12)}
    else 0 end)::double precision`
}
