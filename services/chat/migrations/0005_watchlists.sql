-- The tickers that users follow, in their order.
create table watchlists (
  owner_id text primary key,
  symbols text[] not null
);
