alter table accounts
  -- Requests of the plan's window that runs, and since when.
  add column window_start timestamptz,
  add column window_count bigint not null default 0 check (window_count >= 0);
