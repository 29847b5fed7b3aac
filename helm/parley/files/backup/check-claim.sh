# Tests whether the folder of backups is writable: check-claim.sh <folder of backups>
set -euo pipefail
mktemp --directory "$1/.check-XXXXXX" | xargs rmdir
echo "The claim is writable and has $(df --human-readable --output=avail "$1" | tail -n 1 | tr -d ' ') left"
