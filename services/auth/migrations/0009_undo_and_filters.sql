alter table audit
  -- What the target was called; null when that was not told.
  add column target_name text,
  add column reversible boolean not null default false,
  -- The entries that this one takes back, and that takes this one back.
  add column undoes text,
  add column undone_by text;

-- What admins look for in the log, each newest first.
create index audit_newest on audit (at, seq);
create index audit_of_actor on audit (actor_id, at, seq);
create index audit_of_action on audit (action, at, seq);
create index audit_of_target on audit (target, at, seq);

-- What lists of users are ordered and filtered by.
create index users_by_name on users (username_key collate "C", seq);
create index users_by_last_login on users (coalesce(last_login_at, 'epoch'::timestamptz), seq);
create index users_banned on users (seq) where banned_at is not null;
create index users_admin on users (seq) where is_admin;
create index users_by_single_sign_on on users (seq) where auth_type = 'oauth';
