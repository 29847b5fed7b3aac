alter table accounts
  -- What the present month began with: a share of it is what warnings count, whatever becomes of the plan meanwhile.
  add column month_credits bigint not null default 0 check (month_credits >= 0),
  -- The last month whose warning was given.
  add column warned_period integer;
update accounts set month_credits = begun.amount
from ledger as begun
where begun.user_id = accounts.user_id and begun.period = accounts.period and begun.kind = 'month';

-- As before, and keeps what the month begins with.
create or replace function start_month(a accounts, p_plan text, p_anchor timestamptz, p_actor text default null)
returns accounts language plpgsql as $$
declare
  lapsed bigint := a.monthly;
  months integer := months_passed(p_anchor, now());
  credits bigint := (select monthly_credits from plans where id = p_plan);
begin
  if lapsed > 0 then
    update accounts set monthly = 0 where user_id = a.user_id returning * into a;
    perform append_ledger(a, 'lapse', lapsed, -lapsed, null, p_actor);
  end if;
  update accounts set
    plan_id = p_plan,
    period = a.period + 1,
    anchor = p_anchor,
    period_start = month_start(p_anchor, months),
    period_end = month_start(p_anchor, months + 1),
    monthly = credits,
    month_credits = credits,
    used = 0
  where user_id = a.user_id returning * into a;
  perform append_ledger(a, 'month', a.monthly, a.monthly, null, p_actor);
  return a;
end $$;

-- Tells, once a month, that the user of a generation has used p_percent of the month's credits. For the transaction that settled it, which
-- has the account's lock; a month without credits has nothing to warn of.
create function warn_of_usage(p_generation text, p_charged bigint, p_percent integer) returns void language plpgsql as $$
declare
  a accounts;
begin
  if p_charged = 0 or p_percent is null then
    return;
  end if;
  update accounts set warned_period = period
  where user_id = (select user_id from holds where generation_id = p_generation)
    and month_credits > 0 and used * 100 >= month_credits * p_percent and warned_period is distinct from period
  returning * into a;
  if not found then
    return;
  end if;
  with event as (select gen_random_uuid()::text as id)
  insert into outbox (id, key, event)
  select id, a.user_id, jsonb_build_object(
    'type', 'billing.credit-warning-reached',
    'id', id,
    'at', iso_time(clock_timestamp()),
    'v', 1,
    'key', a.user_id,
    'data', jsonb_build_object(
      'userId', a.user_id,
      'usagePercentage', a.used * 100 / a.month_credits,
      'threshold', p_percent,
      'resetDate', iso_time(a.period_end)
    )
  ) from event;
  perform pg_notify('outbox', current_schema);
end $$;

create function iso_time(at timestamptz) returns text language sql stable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
