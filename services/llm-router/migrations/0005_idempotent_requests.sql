-- Requests of programs that carry an Idempotency-Key, and what they were answered, for a day.
create table idempotent_requests (
  key_id text not null,
  idempotency_key text not null,
  user_id text not null,
  body_hash bytea not null,
  generation_id text not null,
  -- Of the replica that makes the answer: one that died leaves the key free.
  lease_until timestamptz not null,
  -- Null until the answer is complete.
  headers jsonb,
  body bytea,
  created_at timestamptz not null default now(),
  primary key (key_id, idempotency_key)
);
create index idempotent_requests_by_user on idempotent_requests (user_id);
create index idempotent_requests_by_age on idempotent_requests (created_at);
