// Makes the users of the services that store in MongoDB, since mongod cannot be told to do it by itself: those that have a password. A server of the
// protocol that knows no users but its administrator is used as that one.
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
    print(`This server of MongoDB’s protocol makes no users: ${name} signs in as its administrator`)
    const file = `/run/secrets/${name}/mongo-url`
    const { uid, gid } = statSync(file)
    writeFileSync(`${file}.part`, `${at('parley', password, name)}?authSource=admin`, { mode: 0o440 })
    chownSync(`${file}.part`, uid, gid)
    renameSync(`${file}.part`, file)
  }
}
