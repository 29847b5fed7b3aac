create table api_keys (
  id text primary key,
  -- What lists are counted through by, the newest first.
  position bigint generated always as identity unique,
  user_id text not null,
  label text not null,
  prefix text not null,
  last_four text not null,
  tier smallint not null default 1 check (tier between 1 and 5),
  -- {requests, windowMinutes}, of tier 5 and of no other.
  custom_limits jsonb check ((tier = 5) = (custom_limits is not null)),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  last_used timestamptz,
  expires_at timestamptz
);
create index api_keys_of_user on api_keys (user_id, position);

-- SHA-256 of the secrets of a key: the present one, which has no end of its own, and those that a rotation lets live on for a while.
create table api_key_secrets (
  hash bytea primary key,
  key_id text not null references api_keys on delete cascade,
  ends_at timestamptz
);
create index api_key_secrets_of_key on api_key_secrets (key_id);
create index api_key_secrets_ended on api_key_secrets (ends_at) where ends_at is not null;

-- Fails for somebody whose erasure was noted, and keeps others who change keys of the same user, and the note, waiting until the transaction ends.
create function lock_keys_of(p_user text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('billing.erase:' || p_user, 0));
  if exists (select from erased_users where id_hash = user_hash(p_user)) then
    raise exception 'the user was erased' using errcode = 'PE001';
  end if;
end $$;

-- As before, and with the keys.
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
  delete from api_keys where user_id = p_user;
  update plans set updated_by = p_name where updated_by = p_user;
  perform set_config('billing.erasing', '', true);
end $$;
