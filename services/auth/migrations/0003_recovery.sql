-- Why mails to the address do not arrive, in words for its owner; null while they do.
alter table users add column email_problem text;

alter table verifications add column mail_outcome text not null default 'waiting'
  check (mail_outcome in ('waiting', 'sent', 'failed'));

create table password_resets (
  id text primary key,
  -- Null when nobody has the address: both are asked for at the same cost. The address itself is not kept.
  user_id text references users on delete cascade,
  created_at timestamptz not null default now(),
  -- Used, replaced by a later one, or given up with the address it was for.
  closed_at timestamptz,
  token_hash bytea unique,
  token_expires_at timestamptz
);
create index password_resets_of_user on password_resets (user_id) where closed_at is null;

-- A key is published before it signs, and verifies for a while after a later one has begun to.
alter table signing_keys add column signs_from timestamptz not null default now();
update signing_keys set signs_from = created_at;
-- Which key is current is told by signs_from from here on. The version before still reads the state and stays on the key that it knows, so
-- the column stays, and says of every later key what that version makes of one that it must not sign with.
alter table signing_keys alter column state set default 'retired';
