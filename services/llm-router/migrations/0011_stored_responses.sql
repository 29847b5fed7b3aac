-- Responses of /v1/responses that their callers may continue. JSON as text: jsonb takes no NUL.
create table stored_responses (
  user_id text not null,
  id text not null,
  -- The response that this one continues.
  previous_id text,
  -- The items of its own request.
  input text not null,
  response text not null,
  -- Of the response's output, for requests that refer to them.
  item_ids text[] not null,
  bytes integer not null,
  created_at timestamptz not null default now(),
  primary key (user_id, id)
);
create index stored_responses_by_item on stored_responses using gin (item_ids);
create index stored_responses_by_user on stored_responses (user_id, created_at desc, id) include (bytes);
create index stored_responses_by_age on stored_responses (created_at);

-- A response that was under way when its owner was erased. Whoever comes first is waited for by the other.
create function refuse_of_erased() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('llm-router.erase:' || new.user_id, 0));
  if exists (select from erased_users where id_hash = user_hash(new.user_id)) then
    return null;
  end if;
  return new;
end $$;
create trigger stored_responses_without_erased before insert on stored_responses for each row
execute function refuse_of_erased();
