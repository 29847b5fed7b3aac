// Generates all that a cluster with engines of its own keeps secret: the Secrets of the chart, the values that name them, and the statements by which
// the engines' administrators create the users. Again it keeps what there is, and adds what a newer version needs. Needs Node 24 and no packages.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeSecrets, readServices } from './compose/secrets.mjs'

const root = join(import.meta.dirname, '..')

/** Each engine with the file that `makeSecrets` writes for a service, and the form of its option. */
const engines = {
  postgres: {
    file: 'postgres-url',
    form: /^postgres(ql)?:\/\/[^/@\s]+\/[^/\s]+$/,
    such: 'postgres://db.example.org:5432/parley?sslmode=verify-full',
  },
  mongo: {
    file: 'mongo-url',
    form: /^mongodb(\+srv)?:\/\/[^/@?\s]+\/?(\?\S*)?$/,
    such: 'mongodb+srv://cluster.example.org/?retryWrites=true',
  },
  redis: { file: 'redis-url', form: /^rediss?:\/\/[^/@\s]+(\/\d+)?$/, such: 'rediss://redis.example.org:6379' },
  kafka: {
    file: 'kafka-password',
    form: /^[^\s:,]+:\d+(,[^\s:,]+:\d+)*$/,
    such: 'a.example.org:9092,b.example.org:9092',
  },
}
/** In URLs whose options are left out, and whose users are not written. */
const unknown = { postgres: 'postgres://unknown/unknown', mongo: 'mongodb://unknown', redis: 'redis://unknown' }

/** The services and what each uses, as the container `secrets` of compose has them. */
export const servicesOfCompose = () =>
  readServices(/^ {6}SERVICES: \|\n((?: {8}.*\n)+)/m.exec(readFileSync(join(root, 'docker-compose.yml'), 'utf8'))[1])

/**
 * Generates the missing secrets in a folder.
 * @param given URLs of the engines without users, and for Kafka the brokers; what is left out is not written
 * @returns the texts of the files to write beside them, by name
 */
export function makeClusterSecrets(folder, given, services = servicesOfCompose()) {
  const kept = join(folder, 'kept')
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  makeSecrets(kept, services, () => undefined, { ...unknown, ...given })
  const read = (...path) => readFileSync(join(kept, ...path), 'utf8')
  const using = (engine) => services.filter(({ uses }) => uses.includes(engine)).map(({ name }) => name)
  const ofEngines = Object.keys(engines)
    .filter((engine) => given[engine] !== undefined)
    .map((engine) => [engine, using(engine).map((name) => [name, read(name, engines[engine].file)])])
  const ofServices = services.map(({ name, uses }) => [
    `keys-${name}`,
    [
      ['IDENTITY_PRIVATE_KEY', read(name, 'identity-key.pem')],
      ['IDENTITY_PUBLIC_KEYS', read(name, 'identity-keys.json')],
      ...(uses.includes('secrets') ? [[`${name.toUpperCase()}_SECRETS`, read(name, 'secrets')]] : []),
      ...(name === 'auth' ? [['ADMIN_PASSWORD', read(name, 'admin-password')]] : []),
    ],
  ])
  const values = {
    secrets: { existing: 'parley-keys-' },
    ...Object.fromEntries(ofEngines.map(([engine]) => [engine, { existingSecret: `parley-${engine}` }])),
  }
  if (given.kafka !== undefined) values.kafka.brokers = given.kafka
  const items = [...ofEngines, ...ofServices].map(([name, entries]) => secretOf(`parley-${name}`, entries))
  return {
    'secrets.json': json({ apiVersion: 'v1', kind: 'List', items }),
    'values.json': json(values),
    ...(given.postgres && { 'postgres.sql': postgresOf(using('postgres'), read) }),
    ...(given.mongo && { 'mongo.js': mongoOf(using('mongo'), read) }),
    ...(given.redis && { 'redis.acl': redisOf(read) }),
  }
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`

/** Its label is that of the Secrets that the chart makes, by which they are backed up. */
const secretOf = (name, entries) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { 'app.kubernetes.io/part-of': 'parley' } },
  type: 'Opaque',
  stringData: Object.fromEntries(entries),
})

/** For psql, as an administrator, in the database of the URL. */
function postgresOf(names, read) {
  const statements = readFileSync(join(root, 'packages/db/sql/service-role.sql'), 'utf8')
  return names
    .map((name) => name.replaceAll('-', '_'))
    .map((role) => {
      const variables = { role, schema: role, password: read('postgres', `${role}-password`) }
      const set = Object.entries(variables).map(([name, value]) => `\\set ${name} ${value}\n`)
      return `${set.join('')}${statements}`
    })
    .join('\n')
}

/** For mongosh, as an administrator. */
const mongoOf = (
  names,
  read,
) => `const passwords = ${json(Object.fromEntries(names.map((name) => [name, read('mongo', `${name}-password`)])))}
for (const [user, pwd] of Object.entries(passwords)) {
  const database = db.getSiblingDB(user)
  const rights = { pwd, roles: [{ role: 'readWrite', db: user }] }
  if (database.getUser(user) === null) database.createUser({ user, ...rights })
  else database.updateUser(user, rights)
}
`

/** Lines of an ACL file. Those of compose for other users than services are left out: a server of your own has its own. */
const redisOf = (read) =>
  read('redis', 'users.acl')
    .split('\n')
    .filter((line) => !/^user (default|health) /.test(line))
    .join('\n')

function main() {
  const options = Object.fromEntries(Object.keys(engines).map((engine) => [engine, { type: 'string' }]))
  const { values: given, positionals } = parseArgs({ options, allowPositionals: true })
  const [folder] = positionals
  const wrong = Object.entries(given).filter(([engine, value]) => !engines[engine].form.test(value))
  if (folder === undefined || positionals.length > 1 || wrong.length > 0) {
    for (const [engine] of wrong) console.error(`--${engine}: must be like ${engines[engine].such}, without a user`)
    if (wrong.length === 0)
      console.error(
        'Usage: node deploy/secrets.mjs [--postgres URL] [--mongo URL] [--redis URL] [--kafka BROKERS] FOLDER',
      )
    process.exitCode = 1
    return
  }
  const isNew = !existsSync(folder)
  for (const [name, text] of Object.entries(makeClusterSecrets(folder, given))) {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    console.log(join(folder, name))
  }
  if (isNew) console.log('Keep the folder: what is in it can be generated only once.')
}

if (import.meta.main) main()
