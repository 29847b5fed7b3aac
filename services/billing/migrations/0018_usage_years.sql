-- Requests of each user in a UTC year, a year a row: those with the most of a long period are found in few rows.
create table usage_years (
  year smallint not null,
  user_id text not null,
  -- From the beginning of the year to the end of each month, so that those of any months are the difference of two.
  requests bigint[] not null check (cardinality(requests) = 12),
  primary key (year, user_id)
) with (fillfactor = 80);

create function add_months(a bigint[], b bigint[]) returns bigint[] language sql immutable as $$
  select array_agg(x + y order by nth) from unnest(a, b) with ordinality as both_of (x, y, nth)
$$;

create function add_to_year(p_user text, p_day date, p_requests bigint) returns void language sql as $$
  insert into usage_years as had (year, user_id, requests)
  values (date_part('year', p_day), p_user,
    array_fill(0::bigint, array[date_part('month', p_day)::integer - 1])
      || array_fill(p_requests, array[13 - date_part('month', p_day)::integer]))
  on conflict (year, user_id) do update set requests = add_months(had.requests, excluded.requests)
$$;

-- With the sums of months themselves, whoever writes them: the version before, too.
create function add_month_to_year() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_year(new.user_id, new.day, new.requests);
  elsif tg_op = 'DELETE' then
    perform add_to_year(old.user_id, old.day, -old.requests);
    delete from usage_years where year = date_part('year', old.day) and user_id = old.user_id and 0 = all (requests);
  elsif (old.user_id, old.day) = (new.user_id, new.day) then
    perform add_to_year(new.user_id, new.day, new.requests - old.requests);
  else
    perform add_to_year(old.user_id, old.day, -old.requests);
    perform add_to_year(new.user_id, new.day, new.requests);
  end if;
  return null;
end $$;
create trigger month_to_year after insert or update or delete on usage_months
for each row execute function add_month_to_year();

-- What was before. The trigger above keeps others from writing until this is done.
insert into usage_years (year, user_id, requests)
select year, user_id, array_agg(running order by month) from (
  select year, user_id, month, sum(coalesce(used, 0)) over (partition by year, user_id order by month)::bigint as running
  from (select distinct date_part('year', day)::smallint as year, user_id from usage_months) as years
  cross join generate_series(1, 12) as month
  left join (
    select date_part('year', day)::smallint as year, user_id, date_part('month', day)::integer as month, sum(requests) as used
    from usage_months group by 1, 2, 3
  ) as months using (year, user_id, month)
) as each_month
group by year, user_id;
