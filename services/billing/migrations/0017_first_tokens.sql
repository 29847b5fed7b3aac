-- From the beginning of an answer on the web to its first visible character; null where there was none, or nobody told.
alter table generations add column first_token_ms bigint;

-- Answers by UTC day and by how long that took: step n are those that took from 1.1^n up to, not including, 1.1^(n+1) milliseconds.
create table first_token_days (
  day date not null,
  step integer not null,
  answers bigint not null,
  primary key (day, step)
);
