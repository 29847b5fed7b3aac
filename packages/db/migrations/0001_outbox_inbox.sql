create table outbox (
  position bigint generated always as identity primary key,
  id text not null unique,
  key text not null,
  event jsonb not null
);

create table inbox (
  consumer_group text not null,
  event_id text not null,
  at timestamptz not null default now(),
  primary key (consumer_group, event_id)
);

create index inbox_at on inbox (at);
