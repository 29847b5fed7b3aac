import type { PostgresDatabase } from '@parley/db'
import * as books from './books.ts'

/** The amount of seed data. */
export interface SeedSize {
  readonly users: number
  /** API keys; the first users get one each. */
  readonly keys: number
  /** Entries of the audit log. */
  readonly entries: number
  /** Models of the registry, disabled. */
  readonly models: number
}

/**
 * A tenth each of the users are banned, unconfirmed or of single sign-on. Names and times derive from the number, so that runs are repeatable. Those
 * who use the product registered more than a year ago, the others within the last one.
 */
const users = `
  insert into auth.users (id, username, username_key, email, email_key, auth_type, email_verified, first_verified_at, banned_at,
    preferences, created_at, last_login_at, last_seen_at)
  select md5('seed' || n), name, name, name || '@example.test', name || '@example.test',
    case n % 10 when 3 then 'oauth' else 'local' end, n % 10 <> 7, case when n % 10 <> 7 then made end,
    case n % 50 when 9 then now() end, '{}', made, seen, seen
  from generate_series($1::int, $2::int) as n,
    lateral (
      select 'seeded-' || n as name, now() - (n::bigint * 7919 % 525600) * interval '1 minute'
        - case when n % 2 = 0 or n <= $3::int then interval '366 days' else interval '0' end as made
    ) as of_user,
    lateral (select case when n % 9 > 0 then now() - (n::bigint * 104729 % 525600) * interval '1 minute' end as seen) as of_visit
  on conflict do nothing`

/**
 * Active users of the last 30 days: for today the users actually seen, overwriting the former count; for each earlier day about a fifteenth of the
 * users seen in the whole period.
 */
const activeDays = `
  insert into auth.active_days as had (day, users)
  select (now() at time zone 'UTC')::date, count(*) from auth.users where last_seen_at >= date_trunc('day', now(), 'UTC')
  union all
  select (now() at time zone 'UTC')::date - n, greatest(1, $1::int / 200 + (n * 31 % 17 - 8) * $1::int / 4000)
  from generate_series(1, 29) as n
  on conflict (day) do update set users = excluded.users where had.day = (now() at time zone 'UTC')::date`

/** Inserted in the order of days, like real usage, so that rows of a period are in few pages. */
const usageDays = `
  insert into billing.usage_days (day, user_id, key_id, model, requests, errors, input_tokens, output_tokens, credits, estimated,
    response_ms, timed)
  select (at at time zone 'UTC')::date as day, user_id, coalesce(key_id, ''), model, count(*),
    count(*) filter (where outcome in ('interrupted', 'error')), sum(input_tokens), sum(output_tokens), sum(charged), bool_or(estimated),
    sum(response_ms), count(response_ms)
  from billing.generations join newcomers using (user_id) group by 1, user_id, 3, model order by day`

const firstTokenDays = `
  insert into billing.first_token_days as had (day, step, answers)
  select (at at time zone 'UTC')::date, floor(ln(first_token_ms) / ln(1.1)), count(*)
  from billing.generations join newcomers using (user_id) where first_token_ms is not null group by 1, 2
  on conflict (day, step) do update set answers = had.answers + excluded.answers`

const columns = `requests, errors, input_tokens, output_tokens, credits, estimated, response_ms, timed`
const sums = `sum(requests), sum(errors), sum(input_tokens), sum(output_tokens), sum(credits), bool_or(estimated), sum(response_ms), sum(timed)`
const usageMonths = `
  insert into billing.usage_months (day, user_id, key_id, model, ${columns})
  select date_trunc('month', day)::date, user_id, key_id, model, ${sums}
  from billing.usage_days join newcomers using (user_id) group by 1, user_id, key_id, model order by 1`
const usageKeys = `
  insert into billing.usage_keys (key_id, month, model, requests, input_tokens, output_tokens, estimated, response_ms, timed)
  select key_id, day, model, requests, input_tokens, output_tokens, estimated, response_ms, timed
  from billing.usage_months join newcomers using (user_id) join billing.api_keys on id = key_id`
/** Replaces the disabled trigger of `usage_months`; the list of users with the most requests depends on it. */
const usageYears = `
  insert into billing.usage_years (year, user_id, requests)
  select year, user_id, array_agg(running order by month) from (
    select year, user_id, month, sum(coalesce(used, 0)) over (partition by year, user_id order by month)::bigint as running
    from (
      select distinct date_part('year', day)::smallint as year, user_id from billing.usage_months join newcomers using (user_id)
    ) as years
    cross join generate_series(1, 12) as month
    left join (
      select date_part('year', day)::smallint as year, user_id, date_part('month', day)::integer as month, sum(requests) as used
      from billing.usage_months group by 1, 2, 3
    ) as months using (year, user_id, month)
  ) as each_month
  group by year, user_id`
const added = `${columns}, key_requests, key_credits`
  .split(', ')
  .filter((column) => column !== 'estimated')
  .map((column) => `${column} = had.${column} + excluded.${column}`)
const usageModels = `
  insert into billing.usage_models as had (day, model, ${columns}, key_requests, key_credits)
  select day, model, ${sums}, coalesce(sum(requests) filter (where key_id <> ''), 0),
    coalesce(sum(credits) filter (where key_id <> ''), 0)
  from billing.usage_days join newcomers using (user_id) group by day, model
  on conflict (day, model) do update set estimated = had.estimated or excluded.estimated, ${added.join(', ')}`

const keys = `
  insert into billing.api_keys (id, user_id, label, prefix, last_four, tier, created_at)
  select md5('key' || n), md5('seed' || n), 'Seeded key ' || n, 'sk-' || substr(md5(n::text), 1, 4), substr(md5(n::text), 5, 4),
    1 + n % 4, now() - n * interval '1 minute'
  from generate_series($1::int, $2::int) as n on conflict do nothing`

const entries = `
  insert into auth.audit (id, at, actor_id, actor_name, action, target, target_name, before, after, reversible, request_id)
  select md5('entry' || n), now() - (n * 7 % 525600) * interval '1 minute', actor.id, actor.username,
    case when n % 2 = 0 then 'user.banned' else 'user.unbanned' end, md5('seed' || 1 + n % 1000), 'seeded-' || 1 + n % 1000,
    jsonb_build_object('banned', n % 2 = 1), jsonb_build_object('banned', n % 2 = 0), true, md5('request' || n)
  from generate_series($1::int, $2::int) as n, (select id, username from auth.users order by is_super_admin desc, seq limit 1) as actor
  on conflict do nothing`

/** Disabled models, which users cannot choose and providers are never called for. */
const models = `
  insert into llm_router.models (id, name, description, provider, "group", api_endpoint, api_model_name, enabled, context_length, max_tokens,
    temperature, model_type, supports_thinking, supports_tools, supports_image_attachments, supports_file_attachments, credits_per_message,
    requests_per_minute, tokens_per_minute, custom_headers, sdk_type, fallback_models, total_requests, average_response_ms)
  select 'seeded-model-' || n, 'Seeded model ' || n, 'One of many, to try long lists with.', provider, 'Seeded ' || n % 20, '', '', false,
    128000, 8192, 1, 'text', n % 3 = 0, n % 2 = 0, false, false, 1 + n % 5, 0, 0, '[]',
    case provider when 'anthropic' then 'anthropic-sdk' else 'openai-sdk' end, '{}', n * 31 % 9000, 400 + n * 7 % 2000
  from generate_series($1::int, $2::int) as n, lateral (select (array['openai', 'anthropic', 'google', 'deepseek'])[1 + n % 4] as provider) as of_model
  on conflict do nothing`

const batch = 50_000

/** The tables to prepare for the query planner: with statistics, and readable from indexes alone. */
const filled = [
  ...['auth.users', 'auth.audit', 'llm_router.models', 'llm_router.provider_days'],
  ...['accounts', 'api_keys', 'ledger', 'generations', 'holds', 'money_days'].map((table) => `billing.${table}`),
  ...['days', 'months', 'years', 'models', 'keys'].map((sums) => `billing.usage_${sums}`),
]

/**
 * Fills the tables of auth, billing and llm-router with users, a year of usage with its ledger, and models, to fill the admin screens. What exists stays:
 * books are written for users without an account only. No events are published, and these users cannot sign in. The database
 * has to be an unlimited one.
 */
export async function seed({ pool }: Pick<PostgresDatabase<unknown>, 'pool'>, size: SeedSize): Promise<void> {
  const connection = await pool.connect()
  const fill = async (statement: string, count: number, ...values: number[]): Promise<void> => {
    for (let from = 1; from <= count; from += batch) {
      await connection.query(statement, [from, Math.min(from + batch - 1, count), ...values])
    }
  }
  const keyCount = Math.min(size.keys, size.users)
  try {
    // Triggers would publish an event per account.
    await connection.query('set session_replication_role = replica')
    // A batch is sorted and grouped in memory.
    await connection.query(`set work_mem = '256MB'`)
    await fill(users, size.users, keyCount)
    await connection.query(activeDays, [size.users])
    await fill(keys, keyCount)
    await connection.query(books.newcomers, [size.users])
    await connection.query('analyze newcomers')
    for (let from = 1; from <= size.users; from += batch) {
      await connection.query(books.acts, [from, Math.min(from + batch - 1, size.users), keyCount])
      for (const statement of books.ofActs) await connection.query(statement)
      await connection.query('drop table acts')
    }
    for (const statement of [books.comparedDays, books.providerDays]) await connection.query(statement)
    for (const statement of [usageDays, usageMonths, usageYears, usageModels, usageKeys, firstTokenDays]) {
      await connection.query(statement)
    }
    await fill(models, size.models)
    await fill(entries, size.entries)
    await connection.query(`vacuum analyze ${filled.join(', ')}`)
  } finally {
    await connection.query('reset session_replication_role')
    await connection.query('reset work_mem')
    await connection.query('drop table if exists newcomers, acts')
    connection.release()
  }
}
