-- Tells of every change of what a user may spend, whichever act made it: an event is written with the change, once per transaction
-- and user where acts change an account several times.
create function tell_credits_changed() returns trigger language plpgsql as $$
begin
  if current_setting('billing.credits_told', true) is not distinct from new.user_id then
    return null;
  end if;
  perform set_config('billing.credits_told', new.user_id, true);
  with event as (select gen_random_uuid()::text as id)
  insert into outbox (id, key, event)
  select id, new.user_id, jsonb_build_object(
    'type', 'billing.credits-changed',
    'id', id,
    'at', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'v', 1,
    'key', new.user_id,
    'data', jsonb_build_object('userId', new.user_id)
  ) from event;
  perform pg_notify('outbox', current_schema);
  return null;
end $$;

create trigger credits_changed after update on accounts for each row
when (old.monthly + old.granted is distinct from new.monthly + new.granted or old.plan_id is distinct from new.plan_id)
execute function tell_credits_changed();
