-- SHA-256 of the ids of users who were erased, and what stands in place of each: no event that comes late makes an account for one of them.
create table erased_users (
  id_hash bytea primary key,
  name text not null,
  erased_at timestamptz not null default now()
);
create function user_hash(p_user text) returns bytea language sql immutable as $$
  select sha256(convert_to(p_user, 'UTF8'))
$$;

create index holds_by_user on holds (user_id);
create index ledger_of_actor on ledger (actor_id) where actor_id is not null;

-- Notes that a user is being erased, and waits for what they are doing as an admin. To be committed before erase_user, which then finds all of it;
-- whoever comes later finds the note.
create function note_erasure(p_user text, p_name text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('billing.erase:' || p_user, 0));
  insert into erased_users (id_hash, name) values (user_hash(p_user), p_name) on conflict do nothing;
end $$;

-- What an act of this user is kept under.
create function name_of_actor(p_user text) returns text language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('billing.erase:' || p_user, 0));
  return coalesce((select name from erased_users where id_hash = user_hash(p_user)), p_user);
end $$;
create function leave_out_erased_actor() returns trigger language plpgsql as $$
begin
  new.actor_id := name_of_actor(new.actor_id);
  return new;
end $$;
create trigger ledger_without_erased before insert on ledger for each row
when (new.actor_id is not null) execute function leave_out_erased_actor();
create function leave_out_erased_editor() returns trigger language plpgsql as $$
begin
  new.updated_by := name_of_actor(new.updated_by);
  return new;
end $$;
create trigger plans_without_erased before insert or update of updated_by on plans for each row
when (new.updated_by is not null) execute function leave_out_erased_editor();

-- As before, but never for somebody who was erased. That is looked at under the lock: an erasure that came first is seen then.
create or replace function lock_account(p_user text) returns accounts language plpgsql as $$
declare
  a accounts;
begin
  insert into accounts (user_id, plan_id, anchor, period_start, period_end)
  select p_user, plan_id, now(), now(), now() from default_plan
  on conflict do nothing;
  select * into a from accounts where user_id = p_user for update;
  if exists (select from erased_users where id_hash = user_hash(p_user)) then
    raise exception 'the user was erased' using errcode = 'PE001';
  end if;
  if a.period_end <= now() then
    a := start_month(a, a.plan_id, a.anchor);
  end if;
  return a;
end $$;

-- The ledger stays append-only but for an erasure: it deletes the rows of its user, and takes their name off what they did as an admin.
create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  erased text := current_setting('billing.erasing', true);
begin
  if erased <> '' and tg_op = 'DELETE' and old.user_id = erased then
    return old;
  end if;
  if erased <> '' and tg_op = 'UPDATE' and old.actor_id = erased
    and to_jsonb(new) - 'actor_id' = to_jsonb(old) - 'actor_id' then
    return new;
  end if;
  raise exception 'the ledger is append-only';
end $$;

-- Removes a user whose erasure was noted; what they did as an admin stays under p_name.
create function erase_user(p_user text, p_name text) returns void language plpgsql as $$
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
  update plans set updated_by = p_name where updated_by = p_user;
  perform set_config('billing.erasing', '', true);
end $$;
