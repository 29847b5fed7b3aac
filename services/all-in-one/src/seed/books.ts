/**
 * The books of billing for a year of seeded usage. All of them derive from one list of acts, so that they agree: what an account has is the sum of its
 * ledger, which is what its generations cost, which is what usage, the sums of money and the figures of providers say.
 */

/** Seeded users without an account yet, who get one in their plan since they registered. */
export const newcomers = `
  create temporary table newcomers as
  select n, users.id as user_id, users.created_at as joined, plans.id as plan_id, monthly_credits
  from generate_series(1, $1::int) as n
  join auth.users on users.id = md5('seed' || n)
  join billing.plans on plans.id = case when n % 40 = 0 then 'pro' when n % 8 = 0 then 'plus' else 'free' end
  where not exists (select from billing.accounts where accounts.user_id = users.id)`

/**
 * What changed the accounts of some newcomers, in order, with the resulting credits: the registration, an admin's grant to some, and on one day in each
 * of twelve months answers to half of the users and by each key. A few answers failed and cost nothing. As in the product, a month of a plan begins with
 * the first act in it.
 */
export const acts = `
  create temporary table acts as
  with answers as (
    select n, ago * 30 + (hashint4(n) & 1023) % 30 as days_ago, ago || '-' || nth as part, 'web' as source, null as key_id,
      (array['v3', 'gpt-5.4-mini', 'claude-haiku-5-5'])[1 + n % 3] as model
    from newcomers, generate_series(0, 11) as ago, lateral generate_series(1, 1 + (hashint4(n + ago) & 1)) as nth
    where n % 2 = 0 and n between $1::int and $2::int
    union all
    select n, ago * 30 + (hashint4(-n) & 1023) % 30, 'key-' || ago || '-' || nth, 'key', md5('key' || n), 'gpt-5.4-mini'
    from newcomers, generate_series(0, 11) as ago, lateral generate_series(1, 1 + (hashint4(n + ago) & 1023) % 5) as nth
    where n <= $3::int and n between $1::int and $2::int
  ), moments as (
    select n, joined as at, '' as part, 0 as granted, null as source, null as key_id, null as model from newcomers where n between $1::int and $2::int
    union all
    select n, joined + (now() - joined) * (n % 97) / 97, 'grant', 200, null, null, null
    from newcomers where n % 100 in (10, 51) and n between $1::int and $2::int
    union all
    select n, begun + (least(now(), begun + interval '1 day') - begun) * (hashtext(n || part) & 65535) / 65536, part, 0, source, key_id, model
    from answers, lateral (select date_trunc('day', now(), 'UTC') - days_ago * interval '1 day' as begun) as of_day
  ), counted as (
    select newcomers.*, at::timestamptz(3) as at, part, granted, source, key_id, model, months, chance,
      (source is not null)::int as held, (source is not null and chance % 50 <> 1)::int as charged,
      400 + chance % 3000 as response_ms, 20 + chance % 700 as input_tokens, case when chance % 50 = 1 then 0 else 50 + chance % 900 end as output_tokens
    from moments join newcomers using (n), lateral (
      select abs(hashtext(part || n)::bigint) as chance, at at time zone 'UTC' as moment, joined at time zone 'UTC' as anchor
    ) as of_moment, lateral (
      select (date_part('year', moment) - date_part('year', anchor)) * 12 + date_part('month', moment) - date_part('month', anchor) as boundaries
    ) as of_boundaries, lateral (
      select boundaries::int - (anchor + make_interval(months => boundaries::int) > moment)::int as months
    ) as of_months
  ), summed as (
    select *, dense_rank() over (partition by n order by months) as period,
      months is distinct from lag(months) over by_user as begins,
      sum(charged) over (partition by n, months order by at, part) as used,
      sum(granted) over by_user as grants
    from counted window by_user as (partition by n order by months, at, part)
  )
  select *, case when begins then monthly_credits - lag(used) over (partition by n order by months, at, part) end as lapsed,
    monthly_credits - used + grants as balance,
    case when source is not null then 'seeded-' || n || '-' || part end as generation_id,
    least(now(), at + response_ms * interval '1 millisecond') as ended_at
  from summed`

const accounts = `
  insert into billing.accounts (user_id, plan_id, period, anchor, period_start, period_end, monthly, granted, month_credits, used)
  select distinct on (n) user_id, plan_id, period, joined, (anchor + make_interval(months => months)) at time zone 'UTC',
    (anchor + make_interval(months => months + 1)) at time zone 'UTC', monthly_credits - used, grants, monthly_credits, used
  from acts, lateral (select joined at time zone 'UTC' as anchor) as of_account
  order by n, months desc, at desc, part desc`

/** By user, so that rows next to each other are next to each other in the indexes, too. */
const ledger = `
  insert into billing.ledger (user_id, at, kind, amount, delta, balance_after, period, generation_id, actor_id)
  select user_id, entry.at, kind, amount, delta, balance_after, entry.period, entry.generation_id, actor.id
  from acts, lateral (values
    (1, lapsed > 0, acts.at, 'lapse', lapsed, -lapsed, grants - granted, acts.period - 1, null),
    (2, begins, acts.at, 'month', monthly_credits, monthly_credits, balance - granted + charged, acts.period, null),
    (3, granted > 0, acts.at, 'grant', granted, granted, balance, acts.period, null),
    (4, held > 0, acts.at, 'hold', held, -held, balance + charged - held, acts.period, acts.generation_id),
    (5, held > 0, ended_at, case when charged > 0 then 'capture' else 'release' end, case when charged > 0 then charged else held end,
      held - charged, balance, acts.period, acts.generation_id)
  ) as entry (step, applies, at, kind, amount, delta, balance_after, period, generation_id)
  left join (select id from auth.users order by is_super_admin desc, seq limit 1) as actor on kind = 'grant'
  where applies order by n, months, acts.at, part, step`

const generations = `
  insert into billing.generations (generation_id, user_id, at, model, source, key_id, outcome, charged, balance_after, input_tokens, output_tokens,
    estimated, response_ms, ended_at, counted, first_token_ms)
  select generation_id, user_id, at, model, source, key_id,
    case chance % 50 when 1 then 'error' when 2 then 'interrupted' when 3 then 'stopped' else 'complete' end,
    charged, balance, input_tokens, output_tokens, n % 5 = 0, response_ms, ended_at, true,
    case when source = 'web' and charged > 0 then response_ms / 3 end
  from acts where source is not null`

/** Holds are deleted some time after their end; those of days whose books were compared long ago are left out. */
const comparedDaysAgo = 30
const holds = `
  insert into billing.holds (generation_id, user_id, amount, unlimited, from_monthly, from_granted, period, state, charged, expires_at, created_at, settled_at)
  select generation_id, user_id, held, false, held, 0, period, case when charged > 0 then 'captured' else 'released' end, charged, ended_at, at, ended_at
  from acts where source is not null and ended_at >= date_trunc('day', now(), 'UTC') - interval '${comparedDaysAgo - 1} days'`
export const comparedDays = `
  insert into billing.money_checks (day)
  select distinct day from billing.money_days where day <= (now() at time zone 'UTC')::date - ${comparedDaysAgo} on conflict do nothing`

/** Replaces the disabled triggers of the ledger and of generations. */
const moneyDays = `
  insert into billing.money_days as had (day, shard, sold, spent, recorded)
  select (at at time zone 'UTC')::date, 0, sum(sold), sum(spent), sum(spent) from (
    select at, granted + case when begins then monthly_credits else 0 end as sold, 0 as spent from acts
    union all select ended_at, 0, charged from acts where source is not null
  ) as parts group by 1
  on conflict (day, shard) do update set sold = had.sold + excluded.sold, spent = had.spent + excluded.spent,
    recorded = had.recorded + excluded.recorded`

/** What the answers cost, which billing was told. Prices are in micro-dollars per million tokens. */
const providerModels = `
  insert into llm_router.provider_days as had (day, model, calls, input_tokens, output_tokens, cost, told_calls)
  select (ended_at at time zone 'UTC')::date, model, count(*), sum(input_tokens), sum(output_tokens),
    sum(input_tokens::numeric * input_price + output_tokens::numeric * output_price), count(*)
  from acts join (values ('v3', 270000, 1100000), ('gpt-5.4-mini', 250000, 2000000), ('claude-haiku-5-5', 1000000, 5000000))
    as prices (model, input_price, output_price) using (model)
  group by 1, model
  on conflict (day, model) do update set calls = had.calls + excluded.calls, input_tokens = had.input_tokens + excluded.input_tokens,
    output_tokens = had.output_tokens + excluded.output_tokens, cost = had.cost + excluded.cost, told_calls = had.told_calls + excluded.told_calls`
export const providerDays = `
  insert into billing.provider_days as had (day, calls, input_tokens, output_tokens, cost)
  select day, sum(calls), sum(input_tokens), sum(output_tokens), sum(cost) from llm_router.provider_days group by day
  on conflict (day) do update set calls = excluded.calls, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
    cost = excluded.cost
  where excluded.calls > had.calls`

/** Statements that write the books of `acts`. */
export const ofActs = [accounts, ledger, generations, holds, moneyDays, providerModels]
