-- The sum of `counts`, which a preview of limits needs of every row: adding up its minutes took most of its time. Null in rows that were written before.
alter table request_hours add column total bigint;

create function sum_request_counts() returns trigger language plpgsql as $$
begin
  new.total := (select sum(count) from unnest(new.counts) as count);
  return new;
end $$;
create trigger request_counts_summed before insert or update on request_hours
for each row execute function sum_request_counts();
