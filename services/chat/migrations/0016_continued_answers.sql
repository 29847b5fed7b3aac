-- An answer that was continued has several generations: their ids, the latest one last. Null for an answer of one, whose id is the message's.
alter table messages add column generation_ids text[];
create index messages_generations on messages using gin (generation_ids) where generation_ids is not null;

-- Makes an answer that ended be written again, by its next generation. Its text stays. Answers 'begun', or what stands in the way, with nothing changed:
-- 'exists' when it has that generation, 'moved' when it is not the last message shown, or has another latest generation than known.
create function continue_answer(
  in_chat boolean, chat text, answer text, known text, next text, next_model text, made jsonb, owner text, lease_ms double precision
) returns text language plpgsql as $$
declare
  leaf text;
  kept messages;
begin
  if in_chat then
    select leaf_id into leaf from chats where id = chat and deleted_at is null for update;
    if not found then
      return 'gone';
    end if;
  end if;
  select * into kept from messages where id = answer for update;
  if not found then
    return 'gone';
  end if;
  if next = any(kept.generation_ids) then
    return 'exists';
  end if;
  if kept.status = 'generating' or (in_chat and exists (select from messages where chat_id = chat and status = 'generating')) then
    return 'busy';
  end if;
  if coalesce(kept.generation_ids[cardinality(kept.generation_ids)], kept.id) <> known or (in_chat and leaf is distinct from answer) then
    return 'moved';
  end if;
  update messages set status = 'generating', model = next_model, generation = generation || made, frames = '[]', stop_requested = null,
    generation_ids = coalesce(generation_ids, array[id]) || next, settlement_open = false, search_pending = true,
    lease_owner = owner, lease_until = now() + lease_ms * interval '1 millisecond'
  where id = answer;
  return 'begun';
end $$;

-- What an answer that is written again had is counted anew at its end.
create function uncount_reopened_answer() returns trigger language plpgsql set search_path from current as $$
begin
  insert into owner_usage as counted (owner_id, bytes)
  values (new.owner_id, -(octet_length(old.content) + octet_length(old.reasoning)))
  on conflict (owner_id) do update set bytes = counted.bytes + excluded.bytes;
  return null;
end $$;
create trigger messages_reopened after update on messages for each row
  when (old.status <> 'generating' and new.status = 'generating' and new.expires_at is null)
  execute function uncount_reopened_answer();
