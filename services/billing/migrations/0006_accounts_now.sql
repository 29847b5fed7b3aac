-- Accounts as they stand at this moment, read without a lock and without a write: a month that is over shows as the one that the next act on
-- the account will begin, by the same rules as start_month. read_account stays for the version before, which begins the month by reading.
create view accounts_now as
select a.user_id, a.plan_id, p.name as plan_name, p.description as plan_description, p.monthly_credits,
  case when a.period_end <= now() then p.monthly_credits else a.monthly end as monthly,
  a.granted,
  case when a.period_end <= now() then 0 else a.used end as used,
  case when a.period_end <= now() then month_start(a.anchor, months_passed(a.anchor, now())) else a.period_start end
    as period_start,
  case when a.period_end <= now() then month_start(a.anchor, months_passed(a.anchor, now()) + 1) else a.period_end end
    as period_end
from accounts a join plans p on p.id = a.plan_id;
