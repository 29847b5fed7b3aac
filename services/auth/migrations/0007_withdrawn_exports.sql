-- It expired early, with the password or the address that its link was mailed for: another one may be asked for at once.
alter table data_exports add column withdrawn boolean not null default false;
