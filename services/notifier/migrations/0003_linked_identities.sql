alter table deliveries drop constraint deliveries_kind_check;
alter table deliveries add constraint deliveries_kind_check check (kind in (
  'verification', 'password-reset', 'password-changed', 'identity-linked', 'email-changed', 'credit-warning', 'data-export', 'account-deleted'
));
