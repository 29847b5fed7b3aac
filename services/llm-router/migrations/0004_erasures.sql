-- SHA-256 of the ids of users who were erased, and what stands in place of each.
create table erased_users (
  id_hash bytea primary key,
  name text not null,
  erased_at timestamptz not null default now()
);
create function user_hash(p_user text) returns bytea language sql immutable as $$
  select sha256(convert_to(p_user, 'UTF8'))
$$;

-- An act that was under way when its admin was erased. Whoever comes first is waited for by the other.
create function leave_out_erased() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('llm-router.erase:' || new.updated_by, 0));
  new.updated_by := coalesce((select name from erased_users where id_hash = user_hash(new.updated_by)), new.updated_by);
  return new;
end $$;
create trigger models_without_erased before insert or update of updated_by on models for each row
when (new.updated_by is not null) execute function leave_out_erased();

create function erase_user(p_user text, p_name text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('llm-router.erase:' || p_user, 0));
  insert into erased_users (id_hash, name) values (user_hash(p_user), p_name) on conflict do nothing;
  update models set updated_by = p_name where updated_by = p_user;
end $$;
