-- How many messages a chat has is counted up in the act that adds some, so that nobody has to count them and none is lost.

-- As before, and the chat counts what was added.
create or replace function begin_answer(
  in_chat boolean, new_chat jsonb, question jsonb, follows text, answer jsonb, lease_ms double precision
) returns text language plpgsql as $$
declare
  chat text := answer ->> 'chat_id';
  chat_found boolean := true;
  leaf text;
  added integer := 1;
begin
  if new_chat is not null then
    insert into chats (id, owner_id, title, model_used, pinned, message_count, created_at, updated_at)
    select id, owner_id, title, model_used, pinned, message_count, created_at, updated_at
    from jsonb_populate_record(null::chats, new_chat)
    on conflict (id) do nothing;
  end if;
  if in_chat then
    select leaf_id into leaf from chats where id = chat and deleted_at is null for update;
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
    if follows is distinct from coalesce(leaf, '') and follows is not null then
      return 'moved';
    end if;
    insert into messages
      (id, chat_id, owner_id, role, parent_id, status, content, attachments, modes, model, client_message_id, created_at)
    select id, chat_id, owner_id, role, parent_id, status, content, coalesce(attachments, '[]'), coalesce(modes, '[]'),
      model, client_message_id, created_at
    from jsonb_populate_record(null::messages, question);
    added := added + 1;
  end if;
  insert into messages
    (id, chat_id, owner_id, role, parent_id, status, content, model, created_at, expires_at, generation, lease_owner, lease_until)
  select id, chat_id, owner_id, role, parent_id, status, content, model, created_at, expires_at, generation, lease_owner,
    now() + lease_ms * interval '1 millisecond'
  from jsonb_populate_record(null::messages, answer)
  on conflict (id) do nothing;
  if not found then
    return 'exists';
  end if;
  if in_chat then
    update chats set leaf_id = answer ->> 'id', message_count = message_count + added where id = chat;
  end if;
  return 'begun';
end $$;

-- As before, and the chat counts what was added.
create or replace function append_messages(
  chat text, owner text, added jsonb, follows text, behind text
) returns text language plpgsql as $$
declare
  leaf text;
begin
  select leaf_id into leaf from chats where id = chat and owner_id = owner and deleted_at is null for update;
  if not found or (behind is not null and not exists (select from messages where id = behind and chat_id = chat)) then
    return 'gone';
  end if;
  if exists (select from messages where chat_id = chat and status = 'generating') then
    return 'busy';
  end if;
  if follows is not null and follows <> coalesce(leaf, '') then
    return 'moved';
  end if;
  with rows as (
    select item, nth, lag(item ->> 'id', 1, coalesce(behind, leaf, '')) over (order by nth) as parent
    from (
      select distinct on (item ->> 'id') item, nth from jsonb_array_elements(added) with ordinality as a (item, nth)
      where not exists (select from messages where id = item ->> 'id')
      order by item ->> 'id', nth
    ) as news
  ), kept as (
    insert into messages (
      id, chat_id, owner_id, role, parent_id, status, content, reasoning, attachments, modes, events, search, feedback,
      model, client_message_id, generation, created_at
    )
    select m.id, chat, owner, m.role, rows.parent, m.status, m.content, m.reasoning, m.attachments, m.modes, m.events,
      m.search, m.feedback, m.model, m.client_message_id, m.generation, m.created_at
    from rows, jsonb_populate_record(null::messages, rows.item) as m
    returning id
  )
  update chats set leaf_id = (select item ->> 'id' from rows order by nth desc limit 1),
    message_count = message_count + (select count(*) from kept)
  where id = chat and exists (select from kept);
  return 'appended';
end $$;
