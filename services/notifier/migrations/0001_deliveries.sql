-- One row per event that asks for a mail: its key is what makes a second mail of one event impossible.
create table deliveries (
  event_id text primary key,
  kind text not null check (kind in ('verification', 'email-changed')),
  -- What the mail is about, at auth.
  subject_id text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  -- While one replica sends it.
  claimed_until timestamptz,
  finished_at timestamptz,
  last_error text
);
create index deliveries_due on deliveries (next_attempt_at) where state = 'queued';
create index deliveries_finished on deliveries (finished_at) where state <> 'queued';
