-- Runs at every start, under a lock: each statement must be repeatable.
create schema if not exists bus;

create table if not exists bus.log (
  position bigint generated always as identity primary key,
  topic text not null,
  event jsonb not null,
  at timestamptz not null default now()
);

-- Checked first: even `if not exists` locks the table against writers.
do $$ begin
  if to_regclass('bus.log_topic_position') is null then
    create index log_topic_position on bus.log (topic, position);
  end if;
end $$;

create table if not exists bus.offsets (
  consumer_group text not null,
  topic text not null,
  position bigint not null default 0,
  primary key (consumer_group, topic)
);

-- A group that is not subscribed any more would keep the events of its topics from being forgotten.
delete from bus.offsets where consumer_group = 'realtime.credits';

create table if not exists bus.dead_letters (
  consumer_group text not null,
  position bigint not null,
  event jsonb not null,
  error text not null,
  at timestamptz not null default now(),
  primary key (consumer_group, position)
);

-- Positions are taken under the topics' locks, which end after the commit: a reader that saw one has seen every smaller one of that topic.
create or replace function bus.append(events jsonb) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('bus:append:' || topic, 0))
  from (
    select distinct split_part(event ->> 'type', '.', 1) as topic from jsonb_array_elements(events) as e (event) order by 1
  ) as topics;

  insert into bus.log (topic, event)
  select split_part(event ->> 'type', '.', 1), event
  from jsonb_array_elements(events) with ordinality as e (event, nth)
  order by nth;

  -- Each append takes along some of what has been kept for seven days.
  delete from bus.log where position in (
    select position from (select position, at from bus.log order by position limit 200) as oldest
    where at < now() - interval '7 days'
  );

  -- A channel for each topic: who waits for another one is not woken. The types say who has nothing to do with it.
  perform pg_notify('bus.' || topic, types)
  from (
    select split_part(event ->> 'type', '.', 1) as topic, string_agg(distinct event ->> 'type', ' ') as types
    from jsonb_array_elements(events) as e (event) group by 1
  ) as topics;
end
$$;
