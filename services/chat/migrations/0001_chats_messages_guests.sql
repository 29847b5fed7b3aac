create table chats (
  id text primary key,
  owner_id text not null,
  title text not null,
  model_used text not null,
  pinned boolean not null default false,
  message_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index chats_of_owner on chats (owner_id, updated_at desc) where deleted_at is null;
create index chats_deleted on chats (deleted_at) where deleted_at is not null;

-- One document per message. An answer's document is also its generation: what must change together is in one row.
-- `parent_id` is '' for the first message of a chat, so that siblings are found by equality.
create table messages (
  id text primary key,
  chat_id text not null,
  owner_id text not null,
  role text not null check (role in ('user', 'assistant')),
  parent_id text not null,
  status text not null check (status in ('complete', 'generating', 'interrupted', 'error')),
  content text not null,
  model text,
  client_message_id text,
  created_at timestamptz not null,
  reasoning text not null default '',
  -- Lengths of the streamed pieces in order: above 0 of text, below 0 of reasoning.
  frames jsonb not null default '[]',
  generation jsonb,
  stop_requested text,
  lease_owner text,
  lease_until timestamptz,
  settlement_open boolean not null default false,
  expires_at timestamptz
);
create index messages_of_chat on messages (chat_id, created_at desc, id desc);
create index messages_versions on messages (chat_id, parent_id);
create index messages_generating on messages (lease_until) where status = 'generating';
create index messages_settlement on messages (created_at) where settlement_open;
create index messages_expiring on messages (expires_at) where expires_at is not null;

-- What a sender's own key for a message led to, so that a repeat leads to the same.
create table sends (
  id text primary key,
  owner_id text not null,
  client_message_id text,
  idempotency_key text,
  body_hash text not null,
  chat_id text not null,
  user_message_id text not null,
  message_id text not null,
  parent_id text not null,
  created_at timestamptz not null,
  unique (owner_id, client_message_id),
  unique (owner_id, idempotency_key)
);
create index sends_by_age on sends (created_at);

-- Messages taken by a guest, or by all guests of a network, in the current window. `pending` holds the generations not yet settled.
create table guest_buckets (
  bucket text primary key,
  window_start timestamptz not null,
  used integer not null check (used >= 0),
  pending text[] not null
);
create index guest_buckets_by_age on guest_buckets (window_start);
