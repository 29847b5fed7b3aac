-- Of what admins edit: one who changes what another has changed meanwhile is told so.
alter table models add column version integer not null default 1;

-- What acts of admins changed of models, so that they can be undone: the audit log hides values of headers, which may be keys.
create table model_acts (
  -- Of the audit log.
  entry_id text not null,
  model_id text not null references models on delete cascade,
  -- The fields that were changed, and no others.
  before jsonb not null,
  after jsonb not null,
  primary key (entry_id, model_id)
);
create index model_acts_of_model on model_acts (model_id);
