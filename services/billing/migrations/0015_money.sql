-- Credits by day of UTC, in several rows a day, so that those who settle at once seldom wait for each other.
create table money_days (
  day date not null,
  shard smallint not null,
  -- Of grants and of plan months that began.
  sold bigint not null default 0,
  -- Captured by the ledger.
  spent bigint not null default 0,
  -- Of those captures, what was added to the sums of usage.
  recorded bigint not null default 0,
  primary key (day, shard)
);

-- What providers were asked for, as llm-router told last.
create table provider_days (
  day date primary key,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- Millionths of micro-dollars.
  cost numeric not null
);

-- What the daily check found, and the days that it looked at.
create table money_alarms (
  day date not null,
  kind text not null check (kind in ('ledger', 'provider')),
  expected bigint not null,
  found bigint not null,
  at timestamptz not null default now(),
  primary key (day, kind)
);
create table money_checks (
  day date primary key,
  at timestamptz not null default now()
);

create function add_money(p_day date, p_sold bigint, p_spent bigint, p_recorded bigint) returns void language sql as $$
  insert into money_days as had (day, shard, sold, spent, recorded)
  values (p_day, pg_backend_pid() % 16, p_sold, p_spent, p_recorded)
  on conflict (day, shard) do update set sold = had.sold + excluded.sold, spent = had.spent + excluded.spent,
    recorded = had.recorded + excluded.recorded
$$;

create function utc_day(at timestamptz) returns date language sql immutable as $$
  select (at at time zone 'UTC')::date
$$;

-- With the rows themselves, whoever writes them: the version before, too. A hold's `charged` is what its capture took, which is nothing of
-- somebody unlimited; its day is that of the settlement.
create function add_ledger_to_money() returns trigger language plpgsql as $$
begin
  perform add_money(day, sum(sold)::bigint, sum(spent)::bigint, 0) from (
    select utc_day(at) as day, amount as sold, 0 as spent from added where kind in ('grant', 'month')
    union all
    select utc_day(h.settled_at), 0, h.charged from added join holds h using (generation_id) where kind = 'capture'
  ) as parts group by day having sum(sold) <> 0 or sum(spent) <> 0 order by day;
  return null;
end $$;
create trigger ledger_to_money after insert on ledger referencing new table as added
for each statement execute function add_ledger_to_money();

create function add_usage_to_money() returns trigger language plpgsql as $$
begin
  perform add_money(day, 0, 0, sum(charged)::bigint) from (
    select utc_day(coalesce(h.settled_at, g.ended_at)) as day, g.charged
    from after_it g join before_it b using (generation_id) left join holds h using (generation_id)
    where g.counted and not b.counted
  ) as parts group by day having sum(charged) <> 0 order by day;
  return null;
end $$;
create trigger usage_to_money after update on generations referencing old table as before_it new table as after_it
for each statement execute function add_usage_to_money();

-- What was before. The triggers above keep others from writing until this is done.
insert into money_days (day, shard, sold, spent, recorded)
select day, 0, sum(sold), sum(spent), sum(recorded) from (
  select utc_day(at) as day, amount as sold, 0 as spent, 0 as recorded from ledger where kind in ('grant', 'month')
  union all
  -- A hold that took nothing of an amount is that of somebody unlimited.
  select coalesce(utc_day(h.settled_at), utc_day(l.at)), 0, coalesce(h.charged, l.amount), 0
  from ledger l left join holds h using (generation_id)
  where l.kind = 'capture' and not exists (
    select from ledger taken
    where taken.generation_id = l.generation_id and taken.kind = 'hold' and taken.delta = 0 and taken.amount > 0
  )
  union all
  select utc_day(coalesce(h.settled_at, g.ended_at)), 0, 0, g.charged
  from generations g left join holds h using (generation_id) where g.counted
) as parts group by day;
-- Days of the version before had no figures of providers, and are not looked at again.
insert into money_checks (day) select distinct day from money_days where day < utc_day(now());

-- What is erased before it was added to the sums of usage was recorded nonetheless.
create function add_erased_to_money() returns trigger language plpgsql as $$
begin
  perform add_money(day, 0, 0, sum(charged)::bigint) from (
    select utc_day(ended_at) as day, charged from gone where outcome is not null and not counted
  ) as parts group by day having sum(charged) <> 0 order by day;
  return null;
end $$;
create trigger erased_to_money after delete on generations referencing old table as gone
for each statement execute function add_erased_to_money();
