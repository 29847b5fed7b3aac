-- Replicas that make answers, each until it has to be heard of again: a slow store delays the leases of single answers, not the sign of life of all.
create table replicas (
  owner text primary key,
  alive_until timestamptz not null
);
