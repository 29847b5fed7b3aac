// Healthy is what takes writes. The first time the replica set is begun, since mongod cannot be told to do it by itself.
const admin = db.getSiblingDB('admin')
admin.auth('parley', require('node:fs').readFileSync('/run/secrets/mongo/password', 'utf8'))
try {
  rs.status()
} catch (error) {
  if (error.codeName === 'NotYetInitialized') rs.initiate({ _id: 'parley', members: [{ _id: 0, host: 'mongo:27017' }] })
  // A server of the protocol that has no replica sets is healthy when it answers.
  else if (error.codeName !== 'NoReplicationEnabled') throw error
}
if (!admin.hello().isWritablePrimary) quit(1)
