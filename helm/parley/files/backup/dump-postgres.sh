# Dumps each service's schema into the folder of an incomplete backup: dump-postgres.sh <folder of URLs by service> <folder of backups>
set -euo pipefail
umask 027
part="$2/.part"
# Left by a failed attempt.
rm -rf "$part"
mkdir "$part"
for file in "$1"/*; do
  service=$(basename "$file")
  echo "PostgreSQL of $service"
  pg_dump --format custom --schema "$(echo "$service" | tr - _)" --file "$part/$service.pgdump" --dbname "$(cat "$file")"
done
