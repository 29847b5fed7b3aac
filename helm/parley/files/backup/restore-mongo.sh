# Restores each service's database: restore-mongo.sh <folder of URLs by service> <folder of the backup>
set -euo pipefail
log=$(mktemp)
for file in "$1"/*; do
  service=$(basename "$file")
  echo "MongoDB of $service"
  # By default mongorestore succeeds although single documents failed, and although the backup has nothing of the URL's database.
  mongorestore --drop --stopOnError --gzip --archive="$2/$service.mongodump" --uri "$(cat "$file")" 2>&1 | tee "$log"
  if grep -qE '(^|[^0-9])0 document\(s\) restored successfully' "$log"; then
    echo "Nothing was restored: the database in the URL of $service must have the same name as in the backup" >&2
    exit 1
  fi
done
