-- Every three characters in a row of a text. Made here, as the extension for it takes a right that a service's own role does not have.
create function trigrams(searched text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(searched, at, 3)), '{}') from generate_series(1, length(searched) - 2) as at
$$;
-- What admins search users by: a part of the name or of the address. What waits to be put into the index would slow down every search.
create index users_search on users using gin (trigrams(username_key || chr(1) || email)) with (fastupdate = off);

-- When a session was over, which is what the sweep looks for.
create index sessions_over on sessions (least(ended_at, expires_at));
