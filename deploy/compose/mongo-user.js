// Makes the user of the service that stores in MongoDB, since mongod cannot be told to do it by itself. A server of the protocol that knows no users
// but its administrator is used as that one.
const { readFileSync, renameSync, writeFileSync, chownSync, statSync } = require('node:fs')
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8')
const at = (user, password, database) => `mongodb://${user}:${password}@mongo:27017/${database}`
const password = secret('mongo/password')
const chat = connect(at('parley', password, 'admin')).getSiblingDB('chat')
try {
  if (chat.getUser('chat') === null) {
    chat.createUser({ user: 'chat', pwd: secret('mongo/chat-password'), roles: [{ role: 'readWrite', db: 'chat' }] })
  }
} catch (error) {
  if (error.code !== 59) throw error
  print('This server of MongoDB’s protocol makes no users: chat signs in as its administrator')
  const file = '/run/secrets/chat/mongo-url'
  const { uid, gid } = statSync(file)
  writeFileSync(`${file}.part`, `${at('parley', password, 'chat')}?authSource=admin`, { mode: 0o440 })
  chownSync(`${file}.part`, uid, gid)
  renameSync(`${file}.part`, file)
}
