import type { AccountTotals, KeyUsage, UserUsage, usageDivisions } from '@parley/contracts'
import type { Page } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import { type FirstTokenStep, stepGrowth } from '../usage/first-token.ts'
import type { Days, Period } from '../usage/period.ts'
import { noUsage, type UsageOfKey } from '../usage/usage-of-key.ts'
import type { BillingDatabase } from './schema.ts'
import { behind, everyOwner, ofOwners } from './usage-of-owners.ts'
import { average, dailyOf, type Sums, sums, totals, type UsageItem } from './usage-sums.ts'

type Db = Kysely<BillingDatabase>
type Division = (typeof usageDivisions)[number]

/**
 * Sums of the usage of generations by the UTC day and month in which they started. Each generation is added once, shortly after its end, and
 * reads do not touch generations. A sum is marked if any of its counts was estimated.
 */
export function createUsageStore(db: Db) {
  return {
    /** Adds ended generations that are in no sum yet, at most `limit`; replicas may run concurrently. Resolves to their number. */
    count: (limit: number): Promise<number> => countGenerations(db, limit),
    async ofUser(userId: string, { from, to }: Days): Promise<UserUsage> {
      const rows = sql`from usage_days where user_id = ${userId} and day between ${from} and ${to}`
      const [models, days] = await Promise.all([
        sql<
          { model: string } & Sums
        >`select model, ${sums} ${rows} group by model order by requests desc, model collate "C"`.execute(db),
        sql<{ date: string } & Sums>`select day as date, ${sums} ${rows} group by day order by day`.execute(db),
      ])
      return { models: models.rows, days: days.rows }
    },
    /** Usage of all users: every day in order, or a page sorted by requests in descending order; the cursor is a row's requests and id. */
    ofAll: (days: Period, by: Division, page: Page): Promise<readonly UsageItem[]> =>
      by === 'user' || by === 'key' ? ofOwners(db, days, by, page) : ofModels(db, days, by, page),
    /** All rows of `ofAll` in its order, in parts: with their days those of all users are too many for the memory. */
    async *everyItem(days: Period, by: Division): AsyncGenerator<readonly UsageItem[]> {
      if (by === 'user' || by === 'key') yield* everyOwner(db, days, by)
      else yield await ofModels(db, days, by, { limit: Number.MAX_SAFE_INTEGER, after: undefined })
    },
    /** Histogram of the time to first token of answers on the web, by day in ascending steps. */
    async firstTokens({ from, to }: Days): Promise<readonly (FirstTokenStep & { readonly date: string })[]> {
      const { rows } = await sql<{ date: string; step: number; answers: number }>`
        select day as date, step, answers from first_token_days where day between ${from} and ${to} order by day, step`.execute(
        db,
      )
      return rows
    },
    /** A user's API keys and their total usage. */
    async totalsOf(userId: string): Promise<AccountTotals> {
      const { rows } = await sql<AccountTotals['usage'] & { keys: number }>`
        select (select count(*)::int from api_keys where user_id = ${userId}) as keys,
          coalesce(sum(requests), 0)::bigint as requests, coalesce(sum(input_tokens), 0)::bigint as "inputTokens",
          coalesce(sum(output_tokens), 0)::bigint as "outputTokens", coalesce(sum(credits), 0)::bigint as credits
        from usage_months where user_id = ${userId}`.execute(db)
      const { keys = 0, ...usage } = rows[0] ?? {}
      return { keys, usage: { ...noTotals, ...usage } }
    },
    /** Usage of keys since their last reset, except for days, which are kept; unused keys are missing. The current month is the database's, in UTC. */
    async ofKeys(keyIds: readonly string[]): Promise<ReadonlyMap<string, UsageOfKey>> {
      const [{ rows }, days] = await Promise.all([
        sql<KeyRow>`
        select key_id as "keyId", model, is_total as "isTotal", sum(requests)::bigint as requests,
          sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens",
          bool_or(estimated) as estimated, ${average}
        from usage_keys, unnest(array[true, false]) as is_total
        where key_id = any(${[...keyIds]}) and (is_total or month = date_trunc('month', now() at time zone 'UTC')::date)
        group by key_id, model, is_total order by requests desc, model collate "C"`.execute(db),
        sql<{ keyId: string; date: string; requests: number }>`
        select key_id as "keyId", day as date, sum(requests)::bigint as requests from usage_days
        where key_id = any(${[...keyIds]}) and key_id <> '' and day > (now() at time zone 'UTC')::date - 30
        group by key_id, day order by day`.execute(db),
      ])
      const used = new Map<string, UsageOfKey>()
      for (const { keyId, isTotal, ...row } of rows) {
        const usage = used.get(keyId) ?? noUsage
        const part = isTotal ? 'total' : 'monthly'
        used.set(keyId, { ...usage, [part]: plus(usage[part], row) })
      }
      for (const { keyId, ...day } of days.rows) {
        const usage = used.get(keyId) ?? noUsage
        used.set(keyId, { ...usage, days: [...usage.days, day] })
      }
      return used
    },
  }
}

const noTotals = { requests: 0, inputTokens: 0, outputTokens: 0, credits: 0 }

/** Only one replica counts at a time, so that replicas do not wait for each other's rows. */
const countingLock = sql`hashtextextended('billing.usage', 0)`

/** Waits for a running count, and prevents others until the transaction ends. */
export const lockCounting = (db: Db) => sql`select pg_advisory_xact_lock(${countingLock})`.execute(db)

/** Adds generations to the sums in a single statement, whose parts see the same snapshot; keys removed meanwhile are skipped. */
export async function countGenerations(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    with free as materialized (select pg_try_advisory_xact_lock(${countingLock}) as mine),
    next as materialized (
      select generation_id from generations, free where mine and outcome is not null and not counted
      order by ended_at limit ${limit} for update of generations skip locked
    ), taken as (
      update generations g set counted = true from next where g.generation_id = next.generation_id
      returning (g.at at time zone 'UTC')::date as day, user_id, coalesce(key_id, '') as key_id, model, 1 as requests,
        (outcome in ('interrupted', 'error'))::integer as errors, input_tokens, output_tokens, charged as credits,
        estimated, coalesce(response_ms, 0) as response_ms, (response_ms is not null)::integer as timed, first_token_ms
    ), days as (
      insert into usage_days as had
      select day, user_id, key_id, model, ${added} from taken group by day, user_id, key_id, model
      on conflict (user_id, day, model, key_id) do update set ${sum}
    ), months as (
      insert into usage_months as had
      select date_trunc('month', day)::date, user_id, key_id, model, ${added} from taken group by 1, user_id, key_id, model
      on conflict (user_id, day, model, key_id) do update set ${sum}
    ), models as (
      insert into usage_models as had
      select day, model, ${added}, ${addedByKey} from taken group by day, model
      on conflict (day, model) do update set ${sum}, ${sumByKey}
    ), first_tokens as (
      insert into first_token_days as had
      select day, floor(ln(greatest(first_token_ms, 1)) / ln(${stepGrowth}::double precision)), count(*) from taken
      where first_token_ms is not null group by 1, 2
      on conflict (day, step) do update set answers = had.answers + excluded.answers
    ), live as materialized (
      select id from api_keys where id in (select key_id from taken) for key share
    ), keys as (
      insert into usage_keys as had
      select key_id, date_trunc('month', day)::date, model, sum(requests), sum(input_tokens), sum(output_tokens),
        bool_or(estimated), sum(response_ms), sum(timed)
      from taken join live on id = key_id group by key_id, 2, model
      on conflict (key_id, month, model) do update set ${sumOfKeys}
    )
    select count(*) as counted from taken`.execute(db)
  return rows[0]?.counted ?? 0
}

const added = sql`sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(credits), bool_or(estimated),
  sum(response_ms), sum(timed)`
const addedByKey = sql`coalesce(sum(requests) filter (where key_id <> ''), 0), coalesce(sum(credits) filter (where key_id <> ''), 0)`
const sumByKey = sql`key_requests = had.key_requests + excluded.key_requests, key_credits = had.key_credits + excluded.key_credits`
const sumOfKeys = sql`requests = had.requests + excluded.requests,
  input_tokens = had.input_tokens + excluded.input_tokens, output_tokens = had.output_tokens + excluded.output_tokens,
  estimated = had.estimated or excluded.estimated, response_ms = had.response_ms + excluded.response_ms,
  timed = had.timed + excluded.timed`
const sum = sql`errors = had.errors + excluded.errors, credits = had.credits + excluded.credits, ${sumOfKeys}`

/** Sums of all users are stored separately, so that there are few rows. */
async function ofModels(db: Db, { from, to }: Days, by: 'day' | 'model', { limit, after }: Page): Promise<UsageItem[]> {
  const id = sql.ref(by)
  const beyond = after === undefined ? sql`` : sql`having ${behind(after, sql`sum(requests)`, sql`model`)}`
  const inOrder =
    by === 'day' ? sql`order by day` : sql`${beyond} order by requests desc, model collate "C" limit ${limit}`
  const { rows } = await sql<UsageItem>`
    select ${id}::text as id, ${totals}, sum(key_requests)::bigint as "keyRequests", sum(key_credits)::bigint as "keyCredits", (
      select ${dailyOf} from (
        select day, sum(requests) as requests, sum(credits) as credits from usage_models as daily
        where day between ${from} and ${to} and daily.${id} = usage_models.${id} group by day
      ) as each
    ) as days
    from usage_models where day between ${from} and ${to} group by ${id} ${inOrder}`.execute(db)
  return rows
}

interface KeyRow extends Omit<KeyUsage, 'models'> {
  readonly keyId: string
  readonly model: string
  readonly isTotal: boolean
  readonly averageResponseMs: number
}

const plus = (usage: KeyUsage, { estimated, ...row }: Omit<KeyRow, 'keyId' | 'isTotal'>): KeyUsage => ({
  requests: usage.requests + row.requests,
  inputTokens: usage.inputTokens + row.inputTokens,
  outputTokens: usage.outputTokens + row.outputTokens,
  estimated: usage.estimated || estimated,
  models: [...usage.models, row],
})
