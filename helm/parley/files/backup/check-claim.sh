# Tries to write where backups will be: check-claim.sh <folder of backups>
set -euo pipefail
mktemp --directory "$1/.check-XXXXXX" | xargs rmdir
echo "The claim takes backups, and has $(df --human-readable --output=avail "$1" | tail -n 1 | tr -d ' ') left"
