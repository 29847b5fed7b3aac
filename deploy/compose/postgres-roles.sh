#!/bin/sh
# One role and one schema per service, which no other role can enter. Runs at every start and adds what a newer version needs.
set -eu
export PGHOST=postgres PGUSER=postgres PGDATABASE=parley
PGPASSWORD=$(cat /run/secrets/postgres/password)
export PGPASSWORD

for file in /run/secrets/postgres/*-password; do
  role=$(basename "$file" -password)
  # Read inside psql, since arguments can be seen by others.
  psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --set role="$role" --set schema="$role" >/dev/null <<SQL
\\set password \`cat $file\`
\\i /service-role.sql
SQL
done
