alter table models
  -- What the provider charges, in micro-dollars per million tokens; null where it is not known.
  add column input_price bigint check (input_price >= 0),
  add column output_price bigint check (output_price >= 0);

-- Answers of providers and what they cost by the prices of their moment, by the day of UTC on which they ended.
create table provider_days (
  day date not null,
  model text not null,
  calls bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- Millionths of micro-dollars: tokens times price.
  cost numeric not null,
  -- Of `calls`, those that billing was told of.
  told_calls bigint not null default 0,
  primary key (day, model)
);
create index provider_days_to_tell on provider_days (day) where told_calls < calls;
