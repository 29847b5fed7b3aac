-- An owner's files that were sent with messages, in the order of their list.
create index files_listed on files (owner_id, created_at desc, id collate "C" desc) where made is null and chat_ids <> '{}';
-- When a file was last attached: some time later it is looked whether its chats came to be. All that is here already is looked at once, too.
alter table files add column attached_at timestamptz default now();
alter table files alter column attached_at drop default;
create index files_attached on files (attached_at) where attached_at is not null;
