create table users (
  id text primary key,
  -- Order of registration: what list cursors point at.
  seq bigint generated always as identity unique,
  username text not null,
  -- What makes two names the same one.
  username_key text not null constraint users_username_unique unique,
  email text not null,
  email_key text not null constraint users_email_unique unique,
  display_name text,
  auth_type text not null default 'local' check (auth_type in ('local', 'oauth')),
  email_verified boolean not null default false,
  -- Once set, changing the address takes the password.
  first_verified_at timestamptz,
  is_admin boolean not null default false,
  is_super_admin boolean not null default false check (not is_super_admin or is_admin),
  banned_at timestamptz,
  preferences jsonb not null default '{}',
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  last_seen_at timestamptz
);
create index users_last_seen on users (last_seen_at);

-- Apart from users: who signs in by an outside provider has none.
create table credentials (
  user_id text primary key references users on delete cascade,
  password_hash text not null,
  changed_at timestamptz not null default now()
);

-- Sign-in by an outside provider: known by issuer and subject, never by an e-mail address.
create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_of_user on identities (user_id);

create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz,
  user_agent text not null,
  network text not null
);
create index sessions_of_user on sessions (user_id);

-- Every refresh token a session ever had, hashed: one that comes back after its rotation gives a theft away.
create table refresh_tokens (
  hash bytea primary key,
  session_id text not null references sessions on delete cascade,
  rotated_at timestamptz
);
create index refresh_tokens_of_session on refresh_tokens (session_id);

-- Browsers that registered, or gave the right password, and may enter the mailed code.
create table pending_sign_ins (
  hash bytea primary key,
  user_id text not null references users on delete cascade,
  expires_at timestamptz not null
);
create index pending_sign_ins_of_user on pending_sign_ins (user_id);

create table verifications (
  id text primary key,
  user_id text not null references users on delete cascade,
  email text not null,
  created_at timestamptz not null default now(),
  -- Confirmed, or replaced by a later one.
  closed_at timestamptz,
  code_hash bytea,
  code_expires_at timestamptz,
  wrong_tries integer not null default 0
);
create index verifications_of_user on verifications (user_id, created_at);
create unique index verifications_one_open on verifications (user_id) where closed_at is null;

create table code_tries (
  user_id text not null references users on delete cascade,
  at timestamptz not null default now()
);
create index code_tries_of_user on code_tries (user_id, at);

create table email_changes (
  id text primary key,
  user_id text not null references users on delete cascade,
  old_email text not null,
  new_email text not null,
  at timestamptz not null default now()
);
create index email_changes_of_user on email_changes (user_id, at);

-- Wrong passwords so far, per account, network and browser.
create table sign_in_tries (
  key text primary key,
  used integer not null,
  resets_at timestamptz not null
);
