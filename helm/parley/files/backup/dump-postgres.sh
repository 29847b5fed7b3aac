# Dumps each service's schema into the folder of this pod's incomplete backup, since another job may run at once:
# dump-postgres.sh <folder of URLs by service> <folder of backups> <seconds after which no job runs any more>
set -euo pipefail
umask 027
part="$2/.part-$HOSTNAME"
# Left by pods that were killed.
find "$2" -maxdepth 1 -name '.part*' ! -newermt "-$3 seconds" -exec rm -rf {} +
trap '[ $? = 0 ] || rm -rf "$part"' EXIT
mkdir "$part"
for file in "$1"/*; do
  service=$(basename "$file")
  echo "PostgreSQL of $service"
  pg_dump --format custom --schema "$(echo "$service" | tr - _)" --file "$part/$service.pgdump" --dbname "$(cat "$file")"
done
