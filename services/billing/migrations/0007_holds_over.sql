-- When a hold was over, for forgetting old ones.
create index holds_over on holds (coalesce(settled_at, expires_at)) where state <> 'held';
