create table plans (
  id text primary key,
  name text not null,
  description text not null,
  monthly_credits bigint not null check (monthly_credits >= 0),
  requests_per_window integer not null check (requests_per_window > 0),
  window_ms integer not null check (window_ms > 0),
  created_at timestamptz not null default clock_timestamp(),
  updated_by text
);

-- One row, so that there is always exactly one default and one statement moves it; the reference keeps it from being deleted.
create table default_plan (
  only_row boolean primary key default true check (only_row),
  plan_id text not null references plans
);

insert into plans (id, name, description, monthly_credits, requests_per_window, window_ms) values
  ('free', 'Free', 'For trying things out', 100, 30, 60000),
  ('plus', 'Plus', 'For everyday use', 1000, 60, 60000),
  ('pro', 'Pro', 'For heavy use', 5000, 120, 60000);
insert into default_plan (plan_id) values ('free');

-- What a user may spend now, in two buckets: the month's credits, which end with the month, and granted ones, which stay.
-- Held credits are in neither.
create table accounts (
  user_id text primary key,
  plan_id text not null references plans,
  -- Counts months and plan changes, so that a hold knows the month it took from.
  period integer not null default 0,
  -- When the plan was assigned; months are counted from here, so that a 31st does not drift.
  anchor timestamptz not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  monthly bigint not null default 0 check (monthly >= 0),
  granted bigint not null default 0 check (granted >= 0),
  -- Captured in this period.
  used bigint not null default 0 check (used >= 0)
);
create index accounts_plan on accounts (plan_id);

create table holds (
  generation_id text primary key,
  user_id text not null,
  amount bigint not null check (amount >= 0),
  unlimited boolean not null,
  from_monthly bigint not null check (from_monthly >= 0),
  from_granted bigint not null check (from_granted >= 0),
  period integer not null,
  -- expired: given back because nobody renewed it; it can still be settled once.
  state text not null check (state in ('held', 'expired', 'captured', 'released')),
  charged bigint not null default 0 check (charged between 0 and amount),
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz
);
create index holds_running on holds (expires_at) where state = 'held';
create index holds_of_user on holds (user_id) where state = 'held';

create table ledger (
  id bigint generated always as identity primary key,
  user_id text not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('month', 'lapse', 'grant', 'hold', 'capture', 'release')),
  -- The size of the act; delta is its effect on the balance.
  amount bigint not null check (amount >= 0),
  delta bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  period integer not null,
  generation_id text,
  -- The admin who did it, where one did.
  actor_id text,
  unique (generation_id, kind)
);
create index ledger_of_user on ledger (user_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only';
end $$;
create trigger ledger_append_only before update or delete on ledger for each row execute function refuse_change();
