#!/bin/bash
# MongoDB as a replica set of one, which retried writes need. mongod takes a key file from its owner alone, so it gets a copy.
set -eu
install -m 400 /run/secrets/mongo/keyfile /tmp/keyfile
exec docker-entrypoint.sh mongod --bind_ip_all --replSet parley --keyFile /tmp/keyfile --wiredTigerCacheSizeGB "${MONGO_CACHE_GB:-0.25}"
