# Restores each service's schema: restore-postgres.sh <folder of URLs by service> <folder of the backup>
set -euo pipefail
(cd "$2" && sha256sum --check --quiet SHA256SUMS)
for file in "$1"/*; do
  service=$(basename "$file")
  schema=$(echo "$service" | tr - _)
  echo "PostgreSQL of $service"
  # Objects of a newer version would conflict with its migrations.
  PGOPTIONS='-c client_min_messages=warning' psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --set schema="$schema" \
    --file "$(dirname "$0")/empty-schema.sql" --dbname "$(cat "$file")"
  # --schema restores the contents without the schema itself, which the service is not allowed to create.
  pg_restore --schema "$schema" --no-owner --no-privileges --exit-on-error --single-transaction \
    --dbname "$(cat "$file")" "$2/$service.pgdump"
done
