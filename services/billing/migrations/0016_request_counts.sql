-- Limited requests of each subject by minute, an hour a row, kept for eight days: what other limits would have come to is worked out of them.
create table request_hours (
  area text not null check (area in ('web', 'apiV1')),
  subject text not null,
  kind text not null check (kind in ('sending', 'reading')),
  hour timestamptz not null,
  -- Whose they are; null for guests.
  user_id text,
  -- The limit of the settings times this held last.
  times integer not null,
  -- Of each minute of the hour.
  counts integer[] not null check (cardinality(counts) = 60),
  primary key (area, subject, kind, hour)
);
create index request_hours_of_user on request_hours (user_id) where user_id is not null;
create index request_hours_by_hour on request_hours (hour);

create function add_counts(a integer[], b integer[]) returns integer[] language sql immutable as $$
  select array_agg(x + y order by nth) from unnest(a, b) with ordinality as both_of (x, y, nth)
$$;

-- With everything else of a user; what comes later is not kept.
create function erase_request_counts() returns trigger language plpgsql as $$
begin
  delete from request_hours where user_id in (select user_id from gone);
  return null;
end $$;
create trigger request_counts_erased after delete on accounts referencing old table as gone
for each statement execute function erase_request_counts();
