-- The id by which the answer to a request by key names itself, as its program saw it.
alter table generations add column answer_id text;
create index generations_by_answer on generations (user_id, answer_id) where answer_id is not null;
