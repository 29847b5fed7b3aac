-- For the number of new users.
create index users_by_creation on users (created_at);
