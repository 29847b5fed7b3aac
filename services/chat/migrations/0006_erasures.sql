-- SHA-256 of the ids of owners who were erased: what is written for one of them later is removed at once.
create table erased_owners (
  id_hash bytea primary key,
  erased_at timestamptz not null default now()
);
create index chats_by_owner on chats (owner_id);
create index messages_of_owner on messages (owner_id);
create index search_segments_of_owner on search_segments (owner_id);
