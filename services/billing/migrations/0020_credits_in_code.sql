-- contracts 0.1.0: src/credits decides all acts on accounts, and reads compute the present month themselves.
drop view accounts_now;
drop function hold_credits, settle_hold, release_expired_holds, grant_credits, assign_plan, read_account, warn_of_usage,
  lock_account, start_month, take_credits, put_back, append_ledger, month_start, months_passed, iso_time;
