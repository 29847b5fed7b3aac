# Restores each service's database: restore-mongo.sh <folder of URLs by service> <folder of the backup>
set -euo pipefail
for file in "$1"/*; do
  service=$(basename "$file")
  echo "MongoDB of $service"
  mongorestore --drop --gzip --archive="$2/$service.mongodump" --uri "$(cat "$file")"
done
