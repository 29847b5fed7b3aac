-- Begins an answer, with its question and its chat where these are new, in one act. What must be known of the chat is known under its row's
-- lock: of two sends at once one comes first. Answers 'begun', or what stands in the way, with nothing changed.
-- new_chat, question and answer are rows as JSON; follows is the message that must be the newest, '' for none, null for any.
create function begin_answer(
  in_chat boolean, new_chat jsonb, question jsonb, follows text, answer jsonb, lease_ms double precision
) returns text language plpgsql as $$
declare
  chat text := answer ->> 'chat_id';
  chat_found boolean := true;
begin
  if new_chat is not null then
    insert into chats (id, owner_id, title, model_used, pinned, message_count, created_at, updated_at)
    select id, owner_id, title, model_used, pinned, message_count, created_at, updated_at
    from jsonb_populate_record(null::chats, new_chat)
    on conflict (id) do nothing;
  end if;
  if in_chat then
    perform from chats where id = chat and deleted_at is null for update;
    chat_found := found;
  end if;
  if exists (select from messages where id = answer ->> 'id') then
    return 'exists';
  end if;
  if not chat_found then
    return 'gone';
  end if;
  if in_chat and exists (select from messages where chat_id = chat and status = 'generating') then
    return 'busy';
  end if;
  if question is not null and not exists (select from messages where id = question ->> 'id') then
    if follows is distinct from coalesce(
      (select id from messages where chat_id = chat order by created_at desc, id desc limit 1), ''
    ) and follows is not null then
      return 'moved';
    end if;
    insert into messages (id, chat_id, owner_id, role, parent_id, status, content, model, client_message_id, created_at)
    select id, chat_id, owner_id, role, parent_id, status, content, model, client_message_id, created_at
    from jsonb_populate_record(null::messages, question);
  end if;
  insert into messages
    (id, chat_id, owner_id, role, parent_id, status, content, model, created_at, expires_at, generation, lease_owner, lease_until)
  select id, chat_id, owner_id, role, parent_id, status, content, model, created_at, expires_at, generation, lease_owner,
    now() + lease_ms * interval '1 millisecond'
  from jsonb_populate_record(null::messages, answer)
  on conflict (id) do nothing;
  return case when found then 'begun' else 'exists' end;
end $$;
