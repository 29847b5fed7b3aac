-- How many users were seen on each day of UTC.
create table active_days (day date primary key, users bigint not null);

-- Counted here, so that a replica of the version before counts as well.
create function count_active_user() returns trigger language plpgsql as $$
begin
  insert into active_days as had values ((new.last_seen_at at time zone 'UTC')::date, 1)
  on conflict (day) do update set users = had.users + 1;
  return null;
end $$;
create trigger users_seen after update of last_seen_at on users for each row
when ((new.last_seen_at at time zone 'UTC')::date > coalesce((old.last_seen_at at time zone 'UTC')::date, '-infinity'))
execute function count_active_user();

-- Of the days before today nobody knows who was seen again later.
insert into active_days select (now() at time zone 'UTC')::date, count(*) from users
where last_seen_at >= date_trunc('day', now(), 'UTC') having count(*) > 0;
