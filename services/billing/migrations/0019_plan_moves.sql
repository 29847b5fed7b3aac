-- All users of a plan being moved to another, some at a time: one row while that is under way, by which every replica can go on with it. One
-- at a time, so that no two plans are emptied into each other for ever.
create table plan_move (
  only_row boolean primary key default true check (only_row),
  from_plan text not null references plans,
  to_plan text not null references plans check (to_plan <> from_plan),
  moved integer not null default 0,
  actor_id text not null,
  request_id text not null,
  -- Of the event that tells of it at the end, and when it began.
  event_id text not null,
  at timestamptz not null
);
