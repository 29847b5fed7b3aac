// Healthy means accepting writes. Initiates the replica set at the first run, since mongod cannot do so by itself.
const admin = db.getSiblingDB('admin')
admin.auth('parley', require('node:fs').readFileSync('/run/secrets/mongo/password', 'utf8'))
try {
  rs.status()
} catch (error) {
  if (error.codeName === 'NotYetInitialized') rs.initiate({ _id: 'parley', members: [{ _id: 0, host: 'mongo:27017' }] })
  // Servers with MongoDB's protocol but without replica sets are healthy if they respond.
  else if (error.codeName !== 'NoReplicationEnabled') throw error
}
if (!admin.hello().isWritablePrimary) quit(1)
