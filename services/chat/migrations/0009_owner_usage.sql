-- What an account keeps: its chats that are shown, and the bytes of its messages and files. Counted by triggers, so that it changes with what
-- is counted, whoever writes that. A guest's answers are not counted, nor what an answer has come to before it ended.
create table owner_usage (
  owner_id text primary key,
  chats bigint not null default 0,
  bytes bigint not null default 0,
  -- Those whose chats were there before this was counted: they are counted in the background.
  recount_at timestamptz
);
create index owner_usage_recounts on owner_usage (recount_at) where recount_at is not null;

create function count_chats() returns trigger language plpgsql set search_path from current as $$
begin
  insert into owner_usage as counted (owner_id, chats)
  select owner_id, sum(shown) from (
    select owner_id, case tg_op when 'DELETE' then -1 else 1 end as shown from changed where deleted_at is null
  ) as counts
  group by owner_id order by owner_id
  on conflict (owner_id) do update set chats = counted.chats + excluded.chats;
  return null;
end $$;
create trigger chats_added after insert on chats
  referencing new table as changed for each statement execute function count_chats();
create trigger chats_gone after delete on chats
  referencing old table as changed for each statement execute function count_chats();

create function count_shown_chats() returns trigger language plpgsql set search_path from current as $$
begin
  insert into owner_usage as counted (owner_id, chats)
  select owner_id, sum(shown) from (
    select owner_id, 1 as shown from after where deleted_at is null
    union all select owner_id, -1 from before where deleted_at is null
  ) as counts
  group by owner_id having sum(shown) <> 0 order by owner_id
  on conflict (owner_id) do update set chats = counted.chats + excluded.chats;
  return null;
end $$;
create trigger chats_shown after update on chats
  referencing old table as before new table as after for each statement execute function count_shown_chats();

create function count_messages() returns trigger language plpgsql set search_path from current as $$
begin
  insert into owner_usage as counted (owner_id, bytes)
  select owner_id, case tg_op when 'DELETE' then -1 else 1 end * sum(octet_length(content) + octet_length(reasoning))
  from changed where expires_at is null and status <> 'generating'
  group by owner_id order by owner_id
  on conflict (owner_id) do update set bytes = counted.bytes + excluded.bytes;
  return null;
end $$;
create trigger messages_added after insert on messages
  referencing new table as changed for each statement execute function count_messages();
create trigger messages_gone after delete on messages
  referencing old table as changed for each statement execute function count_messages();

create function count_ended_answer() returns trigger language plpgsql set search_path from current as $$
begin
  insert into owner_usage as counted (owner_id, bytes)
  values (new.owner_id, octet_length(new.content) + octet_length(new.reasoning))
  on conflict (owner_id) do update set bytes = counted.bytes + excluded.bytes;
  return null;
end $$;
create trigger messages_ended after update on messages for each row
  when (old.status = 'generating' and new.status <> 'generating' and new.expires_at is null)
  execute function count_ended_answer();

create function count_files() returns trigger language plpgsql set search_path from current as $$
begin
  insert into owner_usage as counted (owner_id, bytes)
  select owner_id, case tg_op when 'DELETE' then -1 else 1 end * sum(size::bigint) from changed
  group by owner_id order by owner_id
  on conflict (owner_id) do update set bytes = counted.bytes + excluded.bytes;
  return null;
end $$;
create trigger files_added after insert on files
  referencing new table as changed for each statement execute function count_files();
create trigger files_gone after delete on files
  referencing old table as changed for each statement execute function count_files();

insert into owner_usage (owner_id, recount_at)
select owner_id, now() from chats union select owner_id, now() from files;
