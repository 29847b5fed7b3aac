-- In the order of the list, so that a page of it costs the same however many chats there are.
create index chats_listed on chats (owner_id, updated_at desc, id collate "C" desc) where deleted_at is null;
create index chats_listed_pinned on chats (owner_id, pinned, updated_at desc, id collate "C" desc) where deleted_at is null;
drop index chats_of_owner;
