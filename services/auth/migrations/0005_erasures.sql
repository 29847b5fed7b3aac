-- Accounts that are being erased. A row goes once the receipt was mailed and nothing of the person is left, at the latest a day after that.
create table erasures (
  id text primary key,
  user_id text not null,
  email text not null,
  username text not null,
  locale text not null,
  -- Services that have still to erase.
  pending text[] not null,
  requested_at timestamptz not null default now(),
  -- When they were last asked, and once they all said so the bus.
  asked_at timestamptz not null default now(),
  erased_at timestamptz,
  -- The receipt was mailed, or never will be.
  told_at timestamptz
);

-- SHA-256 of the ids of users who were erased: what comes late and speaks of one of them is made anonymous.
create table erased_users (
  id_hash bytea primary key,
  erased_at timestamptz not null default now()
);
