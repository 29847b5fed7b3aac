-- Every act on an account is one call of one of these functions: it locks the account's row first, so acts on one account
-- happen one after the other and each sees what the one before it left. Time is the database's.

create function month_start(anchor timestamptz, months integer) returns timestamptz language sql immutable as $$
  select ((anchor at time zone 'UTC') + make_interval(months => months)) at time zone 'UTC'
$$;

-- Whole months from anchor to moment. age() counts Jan 31 to Feb 28 as none, although Feb 28 starts the second month.
create function months_passed(anchor timestamptz, moment timestamptz) returns integer language sql immutable as $$
  select months + case when month_start(anchor, months + 1) <= moment then 1 else 0 end
  from (
    select (extract(year from passed) * 12 + extract(month from passed))::integer as months
    from age(moment at time zone 'UTC', anchor at time zone 'UTC') as passed
  ) as counted
$$;

create function append_ledger(
  a accounts, p_kind text, p_amount bigint, p_delta bigint, p_generation text default null, p_actor text default null
) returns void language sql as $$
  insert into ledger (user_id, kind, amount, delta, balance_after, period, generation_id, actor_id)
  values (a.user_id, p_kind, p_amount, p_delta, a.monthly + a.granted, a.period, p_generation, p_actor)
$$;

-- Starts a full month of a plan: what was left of the old month lapses, grants stay.
create function start_month(a accounts, p_plan text, p_anchor timestamptz, p_actor text default null)
returns accounts language plpgsql as $$
declare
  lapsed bigint := a.monthly;
  months integer := months_passed(p_anchor, now());
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
    monthly = (select monthly_credits from plans where id = p_plan),
    used = 0
  where user_id = a.user_id returning * into a;
  perform append_ledger(a, 'month', a.monthly, a.monthly, null, p_actor);
  return a;
end $$;

-- Locks an account, made on first use, with the present month begun.
create function lock_account(p_user text) returns accounts language plpgsql as $$
declare
  a accounts;
begin
  insert into accounts (user_id, plan_id, anchor, period_start, period_end)
  select p_user, plan_id, now(), now(), now() from default_plan
  on conflict do nothing;
  select * into a from accounts where user_id = p_user for update;
  if a.period_end <= now() then
    a := start_month(a, a.plan_id, a.anchor);
  end if;
  return a;
end $$;

-- Takes credits out of an account, the month's first. The caller has seen that they are there.
create function take_credits(a accounts, p_amount bigint) returns accounts language plpgsql as $$
declare
  from_month bigint := least(a.monthly, p_amount);
begin
  update accounts set monthly = monthly - from_month, granted = granted - (p_amount - from_month)
  where user_id = a.user_id returning * into a;
  return a;
end $$;

-- Puts back what a hold keeps beyond p_charge. A past month's part does not come back: its month is over.
create function put_back(a accounts, h holds, p_charge bigint) returns accounts language plpgsql as $$
declare
  charged_monthly bigint := least(h.from_monthly, p_charge);
  same_period boolean := h.period = a.period;
begin
  update accounts set
    monthly = monthly + case when same_period then h.from_monthly - charged_monthly else 0 end,
    granted = granted + h.from_granted - (p_charge - charged_monthly),
    used = used + case when same_period then p_charge else 0 end
  where user_id = a.user_id returning * into a;
  return a;
end $$;

-- outcome: held (also when asked again), insufficient, or conflict (the generation is another user's, or over).
create function hold_credits(
  p_generation text, p_user text, p_amount bigint, p_unlimited boolean, p_lifetime interval
) returns table (outcome text, remaining bigint) language plpgsql as $$
declare
  a accounts := lock_account(p_user);
  taken bigint := case when p_unlimited then 0 else p_amount end;
  h holds;
begin
  select * into h from holds where generation_id = p_generation;
  if not found then
    if a.monthly + a.granted < taken then
      return query select 'insufficient', a.monthly + a.granted;
      return;
    end if;
    insert into holds (generation_id, user_id, amount, unlimited, from_monthly, from_granted, period, state, expires_at)
    values (p_generation, p_user, p_amount, p_unlimited, least(a.monthly, taken), taken - least(a.monthly, taken), a.period,
      'held', clock_timestamp() + p_lifetime)
    on conflict do nothing returning * into h;
    if found then
      a := take_credits(a, taken);
      perform append_ledger(a, 'hold', p_amount, -taken, p_generation);
    end if;
  end if;
  return query select
    case when h.user_id = p_user and h.state = 'held' then 'held' else 'conflict' end, a.monthly + a.granted;
end $$;

-- Ends a generation's hold once: captures at most what was held and gives the rest back, or gives all back for 0.
-- A hold that had expired, or a generation of p_user that never had one, is charged from what is there, as far as it reaches.
-- outcome: settled (also when it was before: the first settlement stands), unknown, or conflict (the hold is not p_user's).
create function settle_hold(p_generation text, p_amount bigint, p_user text default null)
returns table (outcome text, charged bigint, remaining bigint) language plpgsql as $$
declare
  owner text := coalesce(p_user, (select user_id from holds where generation_id = p_generation));
  a accounts;
  before bigint;
  h holds;
  charge bigint;
begin
  if owner is null then
    return query select 'unknown', 0::bigint, 0::bigint;
    return;
  end if;
  a := lock_account(owner);
  before := a.monthly + a.granted;
  insert into holds (generation_id, user_id, amount, unlimited, from_monthly, from_granted, period, state, expires_at)
  values (p_generation, owner, p_amount, false, 0, 0, a.period, 'expired', clock_timestamp())
  on conflict do nothing;
  select * into h from holds where generation_id = p_generation for update;
  if h.user_id <> coalesce(p_user, h.user_id) then
    return query select 'conflict', 0::bigint, 0::bigint;
    return;
  end if;
  if h.state in ('held', 'expired') then
    charge := least(p_amount, h.amount);
    if h.state = 'held' and not h.unlimited then
      a := put_back(a, h, charge);
    elsif not h.unlimited then
      charge := least(charge, before);
      a := take_credits(a, charge);
      update accounts set used = used + charge where user_id = owner returning * into a;
    end if;
    if charge > 0 then
      perform append_ledger(a, 'capture', charge, a.monthly + a.granted - before, p_generation);
    elsif h.state = 'held' then
      perform append_ledger(a, 'release', h.amount, a.monthly + a.granted - before, p_generation);
    end if;
    update holds set
      state = case when charge > 0 then 'captured' else 'released' end,
      charged = case when h.unlimited then 0 else charge end,
      settled_at = clock_timestamp()
    where generation_id = p_generation returning * into h;
  end if;
  return query select 'settled', h.charged, a.monthly + a.granted;
end $$;

-- Gives back what dead generations hold, the oldest first; accounts that are busy wait for the next time. Answers how many holds it ended.
create function release_expired_holds(p_limit integer) returns integer language plpgsql as $$
declare
  candidate record;
  a accounts;
  before bigint;
  h holds;
  released integer := 0;
begin
  for candidate in
    select holds.generation_id, holds.user_id from holds join accounts using (user_id)
    where state = 'held' and expires_at <= clock_timestamp()
    order by expires_at limit p_limit for update of accounts skip locked
  loop
    -- Read again under the lock: the hold may have been settled or renewed since the list was made.
    select * into h from holds
    where generation_id = candidate.generation_id and state = 'held' and expires_at <= clock_timestamp() for update;
    continue when not found;
    a := lock_account(candidate.user_id);
    before := a.monthly + a.granted;
    a := put_back(a, h, 0);
    perform append_ledger(a, 'release', h.amount, a.monthly + a.granted - before, h.generation_id);
    update holds set state = 'expired' where generation_id = h.generation_id;
    released := released + 1;
  end loop;
  return released;
end $$;

-- False when billing does not know the user.
create function grant_credits(p_user text, p_amount bigint, p_actor text) returns boolean language plpgsql as $$
declare
  a accounts;
begin
  perform from accounts where user_id = p_user;
  if not found then
    return false;
  end if;
  a := lock_account(p_user);
  update accounts set granted = granted + p_amount where user_id = p_user returning * into a;
  perform append_ledger(a, 'grant', p_amount, p_amount, null, p_actor);
  return true;
end $$;

-- outcome: assigned, unknown_user or unknown_plan. The lock keeps the plan from being removed meanwhile.
create function assign_plan(p_user text, p_plan text, p_actor text) returns text language plpgsql as $$
begin
  perform from accounts where user_id = p_user;
  if not found then
    return 'unknown_user';
  end if;
  perform from plans where id = p_plan for key share;
  if not found then
    return 'unknown_plan';
  end if;
  perform start_month(lock_account(p_user), p_plan, now(), p_actor);
  return 'assigned';
end $$;

-- An account as it stands now, made and brought to the present month first.
create function read_account(p_user text) returns table (
  user_id text, plan_id text, plan_name text, plan_description text, monthly_credits bigint,
  remaining bigint, held bigint, used bigint, period_end timestamptz
) language plpgsql as $$
declare
  a accounts := lock_account(p_user);
begin
  return query select a.user_id, p.id, p.name, p.description, p.monthly_credits, a.monthly + a.granted,
    (select coalesce(sum(h.from_monthly + h.from_granted), 0)::bigint from holds h where h.user_id = a.user_id and h.state = 'held'),
    a.used, a.period_end
  from plans p where p.id = a.plan_id;
end $$;
