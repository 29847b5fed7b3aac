-- Whether memories are used and found in a chat.
alter table chats add column memory_off boolean not null default false;
