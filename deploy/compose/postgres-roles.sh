#!/bin/sh
# Creates a role and a schema per service, to which no other role has access. Runs at every start and adds what a newer version needs.
set -eu
export PGHOST=postgres PGUSER=postgres PGDATABASE=parley
PGPASSWORD=$(cat /run/secrets/postgres/password)
export PGPASSWORD

for file in /run/secrets/postgres/*-password; do
  role=$(basename "$file" -password)
  # Read inside psql, since arguments are visible to other processes.
  psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --set role="$role" --set schema="$role" >/dev/null <<SQL
\\set password \`cat $file\`
\\i /service-role.sql
SQL
done
