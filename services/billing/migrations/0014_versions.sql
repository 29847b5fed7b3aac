-- Of what admins edit: one who changes what another has changed meanwhile is told so.
alter table plans add column version integer not null default 1;
