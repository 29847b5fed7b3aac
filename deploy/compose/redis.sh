#!/bin/sh
# Redis without persistence, since it never holds the truth. The password comes by standard input: arguments can be seen by others.
set -eu
exec redis-server - <<CONFIG
requirepass $(cat /run/secrets/redis/password)
save ""
appendonly no
maxmemory ${REDIS_MAXMEMORY:-256mb}
maxmemory-policy noeviction
CONFIG
