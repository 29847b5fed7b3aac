-- Changes of credits are announced by a hint, not by an event. Nobody is left to publish those still in the outbox.
drop trigger credits_changed on accounts;
drop function tell_credits_changed();
delete from outbox where event ->> 'type' = 'billing.credits-changed';
