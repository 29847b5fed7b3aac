-- Creates or updates the role and the schema of one service in the present database. The role is not a superuser, cannot create databases,
-- roles or schemas, and has access only to its own schema. Run it as a superuser, or as the administrator of a managed server, who owns the database and may
-- create roles, any number of times:
--   psql -d parley -v role=billing -v password="$PASSWORD" -v schema=billing -f service-role.sql
-- Roles and schemas: auth auth, billing billing, llm_router llm_router, notifier notifier. No extensions are needed.
begin;
select pg_advisory_xact_lock(hashtextextended('parley:service-role', 0));
select set_config('parley.role', :'role', true),
  set_config('parley.password', :'password', true),
  set_config('parley.schema', :'schema', true);
do $$
declare
  role text := current_setting('parley.role');
  schema text := current_setting('parley.schema');
  -- A new role has none of these rights, and only a superuser may name all of them.
  rights constant text := case when (select rolsuper from pg_roles where rolname = current_user)
    then 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls' else 'login' end;
begin
  if not exists (select from pg_roles where rolname = role) then
    execute format('create role %I', role);
  end if;
  execute format('alter role %I %s password %L', role, rights, current_setting('parley.password'));
  -- Who gives a schema to a role must be able to act as it.
  if rights = 'login' then
    execute format('grant %I to current_user', role);
  end if;
  -- By default, every role may connect and create temporary tables.
  execute format('revoke all on database %I from public', current_database());
  execute format('revoke all on database %I from %I', current_database(), role);
  execute format('grant connect on database %I to %I', current_database(), role);
  execute 'revoke all on schema public from public';
  if not exists (select from pg_namespace where nspname = schema) then
    execute format('create schema %I authorization %I', schema, role);
  end if;
  execute format('alter schema %I owner to %I', schema, role);
  execute format('revoke all on schema %I from public', schema);
end
$$;
commit;
