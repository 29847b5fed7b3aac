-- Whether a chat is listed apart, among those that are archived.
alter table chats add column archived boolean not null default false;
-- As those of 0007, of which only the version before still lists by chats_listed_pinned.
create index chats_archived on chats (owner_id, archived, updated_at desc, id collate "C" desc) where deleted_at is null;
create index chats_archived_pinned on chats (owner_id, archived, pinned, updated_at desc, id collate "C" desc) where deleted_at is null;
