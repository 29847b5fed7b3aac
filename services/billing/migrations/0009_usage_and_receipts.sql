-- What is known of each generation beside what it cost: what was asked for when it was held, and how it ended when that was heard of.
create table generations (
  generation_id text primary key,
  user_id text not null,
  -- When it was held. Milliseconds, as pages are counted through by it.
  at timestamptz(3) not null,
  model text not null,
  source text not null check (source in ('web', 'key', 'image')),
  key_id text,
  -- These are there all at once; before, it runs, or nobody said how it ended.
  outcome text check (outcome in ('complete', 'stopped', 'interrupted', 'error')),
  charged bigint,
  balance_after bigint,
  input_tokens bigint,
  output_tokens bigint,
  estimated boolean,
  -- Unknown of some.
  response_ms bigint,
  ended_at timestamptz,
  -- It is in the sums below.
  counted boolean not null default false
);
create index generations_of_user on generations (user_id, at, generation_id collate "C");
create index generations_to_count on generations (ended_at) where outcome is not null and not counted;

-- Sums of generations that ended, by the UTC day or month in which they began. key_id is '' for those without a key.
create table usage_days (
  day date not null,
  user_id text not null,
  key_id text not null,
  model text not null,
  requests bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  credits bigint not null,
  -- A count of tokens in it was estimated.
  estimated boolean not null,
  -- In all, of so many requests whose time is known.
  response_ms bigint not null,
  timed bigint not null,
  primary key (user_id, day, model, key_id)
);
create index usage_days_by_day on usage_days (day);
create index usage_days_of_key on usage_days (key_id, day) where key_id <> '';
create table usage_months (like usage_days, primary key (user_id, day, model, key_id));
create index usage_months_by_month on usage_months (day);

-- The same of all users together, whom it does not name.
create table usage_models (
  day date not null,
  model text not null,
  requests bigint not null,
  errors bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  credits bigint not null,
  estimated boolean not null,
  response_ms bigint not null,
  timed bigint not null,
  primary key (day, model)
);

-- The same of each key by month, until it is set to nothing.
create table usage_keys (
  key_id text not null references api_keys on delete cascade,
  month date not null,
  model text not null,
  requests bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  estimated boolean not null,
  response_ms bigint not null,
  timed bigint not null,
  primary key (key_id, month, model)
);

-- As before, and with the generations and what was counted of them. Those that are being counted are waited for, so that their sums are found.
create or replace function erase_user(p_user text, p_name text) returns void language plpgsql as $$
begin
  -- Who is making the account at this moment is waited for.
  insert into accounts (user_id, plan_id, anchor, period_start, period_end)
  select p_user, plan_id, now(), now(), now() from default_plan
  on conflict do nothing;
  perform from accounts where user_id = p_user for update;
  perform set_config('billing.erasing', p_user, true);
  delete from ledger where user_id = p_user;
  update ledger set actor_id = p_name where actor_id = p_user;
  delete from holds where user_id = p_user;
  delete from accounts where user_id = p_user;
  delete from generations where user_id = p_user;
  delete from usage_days where user_id = p_user;
  delete from usage_months where user_id = p_user;
  delete from api_keys where user_id = p_user;
  update plans set updated_by = p_name where updated_by = p_user;
  perform set_config('billing.erasing', '', true);
end $$;
