-- Which version of its thread a chat shows: the last message of it.
alter table chats add column leaf_id text;
update chats set leaf_id = (
  select id from messages where chat_id = chats.id order by created_at desc, id desc limit 1
);

alter table messages
  add column attachments jsonb not null default '[]',
  add column modes jsonb not null default '[]',
  -- Events of tools and searches; a 0 among the frames stands for the next one.
  add column events jsonb not null default '[]',
  add column search jsonb,
  add column feedback jsonb,
  -- When a version of the thread that ends here was last chosen to be shown.
  add column shown_at timestamptz;

-- As before, but `follows` is the message that must be the last one shown, and the answer then is it.
create or replace function begin_answer(
  in_chat boolean, new_chat jsonb, question jsonb, follows text, answer jsonb, lease_ms double precision
) returns text language plpgsql as $$
declare
  chat text := answer ->> 'chat_id';
  chat_found boolean := true;
  leaf text;
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
    update chats set leaf_id = answer ->> 'id' where id = chat;
  end if;
  return 'begun';
end $$;

-- Keeps finished messages behind `behind`, a message of the chat, or without one behind the last one shown, each answering the one before, in
-- one act; the last of them is shown then. added are rows as JSON, in order. follows is as above. Answers 'appended', or what stands in the way,
-- with nothing changed.
create function append_messages(
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
  update chats set leaf_id = (select item ->> 'id' from rows order by nth desc limit 1)
  where id = chat and exists (select from kept);
  return 'appended';
end $$;

-- Shows the version of the thread that ends with `leaf`. Answers 'shown', or what stands in the way, with nothing changed.
create function show_version(chat text, owner text, leaf text, shown timestamptz) returns text language plpgsql as $$
begin
  perform from chats where id = chat and owner_id = owner and deleted_at is null for update;
  if not found then
    return 'gone';
  end if;
  if exists (select from messages where chat_id = chat and status = 'generating') then
    return 'busy';
  end if;
  if exists (select from messages where chat_id = chat and parent_id = leaf) then
    return 'moved';
  end if;
  update messages set shown_at = shown where id = leaf and chat_id = chat;
  if not found then
    return 'gone';
  end if;
  update chats set leaf_id = leaf where id = chat;
  return 'shown';
end $$;

-- Searching. A message waits until it is put into a segment: texts in lower case, one after the other, and a number for every one, two and
-- three characters in a row. Messages that are there already wait, too.
alter table messages add column search_pending boolean not null default true;
create index messages_search_pending on messages (chat_id, created_at) where search_pending and expires_at is null;
create index messages_search_recent on messages (owner_id, created_at desc) where search_pending and expires_at is null;
create table search_segments (
  id text primary key,
  owner_id text not null,
  chat_id text not null,
  message_ids text[] not null,
  text text not null,
  grams integer[] not null
);
-- Read as often as it matches, so it is not compressed.
alter table search_segments alter column text set storage external;
create index search_segments_of_chat on search_segments (chat_id);
-- Written in the background: what waits to be put into the index would slow down every search.
create index search_segments_grams on search_segments using gin (grams) with (fastupdate = off);
