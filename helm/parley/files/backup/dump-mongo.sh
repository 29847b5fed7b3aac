# Dumps each service's database next to the existing dumps, completes the backup, and removes the oldest ones:
# dump-mongo.sh <folder of URLs by service> <folder of backups> <number of backups to keep>
set -euo pipefail
umask 027
part="$2/.part-$HOSTNAME"
trap '[ $? = 0 ] || rm -rf "$part"' EXIT
for file in "$1"/*; do
  service=$(basename "$file")
  echo "MongoDB of $service"
  mongodump --gzip --archive="$part/$service.mongodump" --uri "$(cat "$file")"
done
(cd "$part" && sha256sum -- *dump >SHA256SUMS)
sync
name=$(date -u +%Y-%m-%dT%H%M%SZ)
# Only now it counts as a backup.
mv -T "$part" "$2/$name"
echo "Made $name"
ls -1 "$2" | grep -E '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z$' | sort -r | tail -n "+$(($3 + 1))" | while read -r old; do
  rm -rf "${2:?}/$old"
  echo "Removed $old"
done
