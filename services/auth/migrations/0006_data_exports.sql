-- Copies of all that is kept of a user. They go with the account.
create table data_exports (
  id text primary key,
  user_id text not null references users on delete cascade,
  state text not null default 'collecting' check (state in ('collecting', 'ready', 'failed', 'expired')),
  requested_at timestamptz not null default now(),
  -- When services were last asked, or one of them last contributed.
  last_sign_at timestamptz not null default now(),
  expires_at timestamptz,
  -- Of the mailed link.
  token_hash bytea
);
create index data_exports_of_user on data_exports (user_id, requested_at);
create index data_exports_kept on data_exports (state) where state in ('collecting', 'ready');

create table data_export_contributions (
  export_id text not null references data_exports on delete cascade,
  service text not null,
  -- The run whose pieces are kept.
  run text,
  done boolean not null default false,
  primary key (export_id, service)
);

create table data_export_pieces (
  export_id text not null references data_exports on delete cascade,
  service text not null,
  path text not null,
  piece integer not null,
  -- Null when it did not fit any more: its file is left out then.
  data bytea,
  primary key (export_id, service, path, piece)
);
