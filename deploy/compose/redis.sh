#!/bin/sh
# Redis without persistence, since it is never the source of truth. Each service is a user of its own with rights to its own keys.
set -eu
exec redis-server - <<CONFIG
aclfile /run/secrets/redis/users.acl
save ""
appendonly no
maxmemory ${REDIS_MAXMEMORY:-256mb}
maxmemory-policy noeviction
CONFIG
