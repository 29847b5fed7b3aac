alter table deliveries
  drop constraint deliveries_kind_check,
  drop constraint deliveries_state_check,
  alter column subject_id drop not null,
  -- The user who is told, where the event names them: their mails are found by it, to be copied for them and to be erased.
  add column user_id text,
  -- What the mail tells beside that which auth is asked for.
  add column about jsonb;
alter table deliveries
  add constraint deliveries_kind_check check (kind in (
    'verification', 'password-reset', 'password-changed', 'email-changed', 'credit-warning', 'data-export', 'account-deleted'
  )),
  -- dropped: there was nobody to tell any more; only the event's id is kept, so that it is known when it comes again.
  add constraint deliveries_state_check check (state in ('queued', 'sent', 'failed', 'dropped')),
  add constraint deliveries_subject_check check (state = 'dropped' or subject_id is not null);
create index deliveries_of_user on deliveries (user_id) where user_id is not null;
