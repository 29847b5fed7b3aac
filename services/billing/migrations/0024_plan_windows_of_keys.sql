-- The seeded plans were narrower than the limits of their users' API keys (60 requests a minute, ten times that in the highest tier), so that
-- no key reached its own limit. Plans that an admin has edited stay.
update plans set requests_per_window = 600 where id = 'free' and requests_per_window = 30 and window_ms = 60000;
update plans set requests_per_window = 1200 where id = 'plus' and requests_per_window = 60 and window_ms = 60000;
update plans set requests_per_window = 3000 where id = 'pro' and requests_per_window = 120 and window_ms = 60000;
