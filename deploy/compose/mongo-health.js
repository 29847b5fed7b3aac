// Healthy is what takes writes from the service that stores here. The first time the replica set is begun and the service's user made, since
// mongod cannot be told to do it by itself.
const { readFileSync } = require('node:fs')
const secret = (name) => readFileSync(`/run/secrets/mongo/${name}`, 'utf8')
const admin = db.getSiblingDB('admin')
admin.auth('parley', secret('password'))
try {
  rs.status()
} catch (error) {
  if (error.codeName === 'NotYetInitialized') rs.initiate({ _id: 'parley', members: [{ _id: 0, host: 'mongo:27017' }] })
  // A server of the protocol that has no replica sets is healthy when it answers.
  else if (error.codeName !== 'NoReplicationEnabled') throw error
}
if (!admin.hello().isWritablePrimary) quit(1)
const chat = db.getSiblingDB('chat')
if (chat.getUser('chat') === null) {
  chat.createUser({ user: 'chat', pwd: secret('chat-password'), roles: [{ role: 'readWrite', db: 'chat' }] })
}
