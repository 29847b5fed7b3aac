# Puts the schema of each service back as it was: restore-postgres.sh <folder of URLs by service> <folder of the backup>
set -euo pipefail
(cd "$2" && sha256sum --check --quiet SHA256SUMS)
for file in "$1"/*; do
  service=$(basename "$file")
  schema=$(echo "$service" | tr - _)
  echo "PostgreSQL of $service"
  # What a newer version made would be in its own way.
  PGOPTIONS='-c client_min_messages=warning' psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --set schema="$schema" \
    --file "$(dirname "$0")/empty-schema.sql" --dbname "$(cat "$file")"
  # By its name the schema itself is left out: the service may make what is in it alone.
  pg_restore --schema "$schema" --no-owner --no-privileges --exit-on-error --single-transaction \
    --dbname "$(cat "$file")" "$2/$service.pgdump"
done
