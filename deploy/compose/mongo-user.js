// Creates a user for each service that stores in MongoDB and has a password, since mongod cannot do so by itself. If a server with MongoDB's
// protocol supports no further users, the services connect as its administrator.
const { readdirSync, readFileSync, renameSync, writeFileSync, chownSync, statSync } = require('node:fs')
const secret = (name) => readFileSync(`/run/secrets/${name}`, 'utf8')
const at = (user, password, database) => `mongodb://${user}:${password}@mongo:27017/${database}`
const password = secret('mongo/password')
const services = readdirSync('/run/secrets/mongo').flatMap((file) => /^(.+)-password$/.exec(file)?.[1] ?? [])
for (const name of services) {
  const database = connect(at('parley', password, 'admin')).getSiblingDB(name)
  try {
    if (database.getUser(name) === null) {
      database.createUser({
        user: name,
        pwd: secret(`mongo/${name}-password`),
        roles: [{ role: 'readWrite', db: name }],
      })
    }
  } catch (error) {
    if (error.code !== 59) throw error
    print(`This server supports no further users: ${name} connects as its administrator`)
    const file = `/run/secrets/${name}/mongo-url`
    const { uid, gid } = statSync(file)
    writeFileSync(`${file}.part`, `${at('parley', password, name)}?authSource=admin`, { mode: 0o440 })
    chownSync(`${file}.part`, uid, gid)
    renameSync(`${file}.part`, file)
  }
}
