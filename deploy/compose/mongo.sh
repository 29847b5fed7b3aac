#!/bin/bash
# MongoDB as a single-node replica set, which retryable writes need. mongod requires that it owns the key file, hence the copy.
set -eu
install -m 400 /run/secrets/mongo/keyfile /tmp/keyfile
exec docker-entrypoint.sh mongod --bind_ip_all --replSet parley --keyFile /tmp/keyfile --wiredTigerCacheSizeGB "${MONGO_CACHE_GB:-0.25}"
