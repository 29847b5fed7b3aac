-- Files of users, each kept once for its owner, however often it is sent. `sha256` is of what was sent, `bytes` what is left of it.
create table files (
  id text primary key,
  owner_id text not null,
  sha256 text not null,
  name text not null,
  mime_type text not null,
  size integer not null,
  width integer,
  height integer,
  pages integer,
  -- Of an image that a model made: which model, and what it cost.
  made jsonb,
  bytes bytea not null,
  thumb bytea,
  content text,
  -- While it is part of a chat it does not expire.
  chat_ids text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz,
  unique (owner_id, sha256)
);
-- What is stored is packed already.
alter table files alter column bytes set storage external, alter column thumb set storage external;
create index files_of_chats on files using gin (chat_ids);
create index files_expiring on files (expires_at) where expires_at is not null;
