-- Of these sums, those of API keys; the rest is the web's. Answers that a version before this one counts are the web's.
alter table usage_models
  add column key_requests bigint not null default 0,
  add column key_credits bigint not null default 0;
update usage_models set key_requests = used.requests, key_credits = used.credits
  from (
    select day, model, sum(requests) as requests, sum(credits) as credits
    from usage_days where key_id <> '' group by day, model
  ) as used
  where usage_models.day = used.day and usage_models.model = used.model;
