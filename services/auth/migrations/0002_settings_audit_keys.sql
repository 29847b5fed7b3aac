-- One row: what differs from the defaults.
create table settings (
  single boolean primary key default true check (single),
  version integer not null default 1,
  changes jsonb not null default '{}'
);
insert into settings default values;

-- No reference to users: an entry outlives the account.
create table audit (
  seq bigint generated always as identity primary key,
  id text not null unique,
  at timestamptz not null default now(),
  actor_id text not null,
  actor_name text not null,
  action text not null,
  target text,
  before jsonb,
  after jsonb,
  request_id text not null
);

create table signing_keys (
  kid text primary key,
  -- A retired key still verifies tokens that it signed.
  state text not null check (state in ('current', 'retired')),
  public_jwk jsonb not null,
  -- PKCS #8, sealed.
  private_key bytea not null,
  created_at timestamptz not null default now()
);
create unique index signing_keys_one_current on signing_keys (state) where state = 'current';
