-- The last month whose warning its user has seen and wants no more of.
alter table accounts add column acknowledged_period integer;
