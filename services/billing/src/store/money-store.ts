import type { EventOf, MoneyAlarm, MoneyDay } from '@parley/contracts'
import { type Kysely, sql } from 'kysely'
import type { DayFigures, Found } from '../money/check.ts'
import type { Days } from '../usage/period.ts'
import type { BillingDatabase } from './schema.ts'

type ProviderDay = EventOf<'llm-router.provider-used'>['data']

/** Credits and money by UTC day. Sales, spending and usage are aggregated by the database as their rows are written. */
export const createMoneyStore = (db: Kysely<BillingDatabase>) => ({
  /** Every day of a period, in order. */
  async days({ from, to }: Days): Promise<readonly MoneyDay[]> {
    const { rows } = await sql<MoneyDay>`
      select date::date::text as date, coalesce(sold, 0) as sold, coalesce(spent, 0) as spent, coalesce(recorded, 0) as recorded,
        coalesce(round(cost / 1000000), 0)::bigint as "providerCost", coalesce(spent - recorded, 0) as drift
      from generate_series(${from}::date, ${to}::date, interval '1 day') as date
      left join (
        select day, sum(sold)::bigint as sold, sum(spent)::bigint as spent, sum(recorded)::bigint as recorded
        from money_days where day between ${from} and ${to} group by day
      ) as sums on sums.day = date::date
      left join provider_days providers on providers.day = date::date
      order by date`.execute(db)
    return rows
  },
  /** The alarms of a period, newest first. */
  async alarms({ from, to }: Days): Promise<readonly MoneyAlarm[]> {
    const { rows } = await sql<Omit<MoneyAlarm, 'at'> & { at: Date }>`
      select day::text as date, kind, expected, found, at from money_alarms where day between ${from} and ${to}
      order by day desc, kind`.execute(db)
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
  },
  /** Stores llm-router's figures of a day, unless stored ones include more calls. */
  async keepProviderDay({ date, calls, inputTokens, outputTokens, cost }: ProviderDay): Promise<void> {
    await sql`
      insert into provider_days as had (day, calls, input_tokens, output_tokens, cost)
      values (${date}, ${calls}, ${inputTokens}, ${outputTokens}, ${cost})
      on conflict (day) do update set calls = excluded.calls, input_tokens = excluded.input_tokens,
        output_tokens = excluded.output_tokens, cost = excluded.cost
      where excluded.calls > had.calls`.execute(db)
  },
  /** Figures of days that ended an hour ago and were not checked, the oldest first, at most `limit`. */
  async unchecked(limit: number): Promise<readonly DayFigures[]> {
    const { rows } = await sql<Omit<DayFigures, 'providerTokens'> & { providerTokens: number | null }>`
      with over as (
        select day, sum(spent)::bigint as spent, sum(recorded)::bigint as recorded from money_days
        where day < utc_day(now() - interval '1 hour') and day not in (select day from money_checks)
        group by day order by day limit ${limit}
      )
      select day::text as date, spent, recorded,
        ledger, usage, "usedTokens",
        -- Of a day on which it began to be told nothing is known for certain.
        (
          select input_tokens + output_tokens from provider_days p
          where p.day = over.day and exists (select from provider_days earlier where earlier.day < over.day)
        ) as "providerTokens"
      from over, lateral (
        select
          -- The capture of a user without limits took nothing.
          coalesce(sum(l.amount) filter (where h.charged > 0), 0)::bigint as ledger,
          coalesce(sum(g.charged), 0)::bigint as usage,
          coalesce(sum(g.input_tokens + g.output_tokens), 0)::bigint as "usedTokens"
        from holds h
        left join ledger l on l.generation_id = h.generation_id and l.kind = 'capture'
        left join generations g on g.generation_id = h.generation_id and g.counted
        where h.state <> 'held' and coalesce(h.settled_at, h.expires_at) >= day::timestamp at time zone 'UTC'
          and coalesce(h.settled_at, h.expires_at) < (day + 1)::timestamp at time zone 'UTC' and h.settled_at is not null
      ) as books
      order by day`.execute(db)
    return rows.map(({ providerTokens, ...row }) => ({ ...row, providerTokens: providerTokens ?? undefined }))
  },
  /** Records the check of a day and its findings. Resolves to false when another replica has done so before. */
  keepCheck: (date: string, found: readonly Found[]): Promise<boolean> =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql`
        insert into money_checks (day) values (${date}) on conflict do nothing returning 1`.execute(tx)
      if (rows.length === 0) return false
      for (const { kind, expected, found: had } of found) {
        await sql`insert into money_alarms (day, kind, expected, found) values (${date}, ${kind}, ${expected}, ${had})`.execute(
          tx,
        )
      }
      return true
    }),
})
