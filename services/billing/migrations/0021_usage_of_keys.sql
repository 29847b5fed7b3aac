-- The keys with the most requests of a period are found among those of all users without reading the table.
create index usage_months_of_keys on usage_months (day) include (key_id, requests) where key_id <> '';
