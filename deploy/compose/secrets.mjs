// Generates the secrets of a deployment, each once: random values, stored in a volume. Each container can read only the folder of its
// own group. Runs before everything else at every start, and adds what a newer version needs.
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { redisRights } from '../../packages/cache/src/redis/redis-rights.ts'
import { newIdentityKey, publicKeySet } from '../../packages/kit/src/identity/identity-key-pair.ts'

/** Group ids without users; docker-compose.yml assigns each container its own, and those of the services in `SERVICES`. */
const groupsOfEngines = { postgres: 61011, mongo: 61012, redis: 61013, kafka: 61014, 'kafka-rights': 61015 }

/** Parses the list of services, one per line: name, group, and what it uses. */
export const readServices = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([name, group, ...uses]) => ({ name, group: Number(group), uses }))

/** A service's rights in Redis beyond signals, its own cache and its own counters. */
const redisUses = (uses) => ({
  streams: uses.includes('streams'),
  ...(uses.includes('key-windows') && { windowsOf: [{ scope: 'llm-router', start: 'key:' }] }),
})

/** The engines of compose: a service's URL is made of one by adding its user and password, and for MongoDB its database. */
const enginesOfCompose = {
  postgres: 'postgres://postgres:5432/parley',
  mongo: 'mongodb://mongo:27017',
  redis: 'redis://redis:6379',
}

/**
 * Generates the missing secrets under `root`.
 * @param services as returned by `readServices`
 * @param own assigns a path to a group, as `chownSync(path, 0, group)`
 * @param engines URLs without users, those of compose by default
 */
export function makeSecrets(root, services, own, engines = enginesOfCompose) {
  const groups = { ...Object.fromEntries(services.map(({ name, group }) => [name, group])), ...groupsOfEngines }
  const using = (engine) => services.filter(({ uses }) => uses.includes(engine))
  /** Writes a group's file atomically, so that an interrupted start leaves no partial file. */
  const write = (owner, name, value) => {
    const file = join(root, owner, name)
    writeFileSync(`${file}.part`, value, { mode: 0o440 })
    own(`${file}.part`, groups[owner])
    renameSync(`${file}.part`, file)
  }
  const read = (owner, name) => readFileSync(join(root, owner, name), 'utf8')
  /** Returns a group's stored secret, or generates and stores it. */
  const keep = (owner, name, make = random) => {
    if (!existsSync(join(root, owner, name))) write(owner, name, make())
    return read(owner, name)
  }
  /** Updates a file that is derived from secrets, which a newer version may change. */
  const derive = (owner, name, value) => {
    if (!existsSync(join(root, owner, name)) || read(owner, name) !== value) write(owner, name, value)
  }

  for (const [owner, group] of Object.entries(groups)) {
    const folder = join(root, owner)
    mkdirSync(folder, { recursive: true })
    own(folder, group)
    chmodSync(folder, 0o750)
  }

  const identities = Object.fromEntries(
    services.map(({ name }) => [name, keep(name, 'identity-key.pem', newIdentityKey)]),
  )
  for (const { name } of services) derive(name, 'identity-keys.json', publicKeySet(identities))

  // Previously, all services sealed data with one shared secret; those that did keep it for opening, and it is removed elsewhere.
  const former = services.map(({ name }) => join(root, name, 'internal-secret')).filter(existsSync)
  const [opening = []] = former.map((file) => [readFileSync(file, 'utf8')])
  for (const { name } of using('secrets')) keep(name, 'secrets', () => [random(), ...opening].join())
  for (const file of former) rmSync(file)

  keep('postgres', 'password')
  for (const { name } of using('postgres')) {
    const role = name.replaceAll('-', '_')
    const password = keep('postgres', `${role}-password`)
    derive(name, 'postgres-url', signIn(engines.postgres, role, password))
  }

  keep('mongo', 'password')
  keep('mongo', 'keyfile', () => randomBytes(192).toString('base64'))
  for (const { name } of using('mongo')) {
    const url = engines.mongo.replace(/^([^/]+\/\/[^/?]+)\/?/, `$1/${name}`)
    derive(name, 'mongo-url', signIn(url, name, keep('mongo', `${name}-password`)))
  }

  // The default user is disabled; the health check has its own user, which may only ping.
  const users = [
    ['default', 'off'],
    ['health', `on ${hashed(keep('redis', 'password'))}`, '+ping'],
  ]
  for (const { name, uses } of using('redis')) {
    const password = keep('redis', `${name}-password`)
    users.push([name, `on ${hashed(password)}`, redisRights('parley', name, redisUses(uses))])
    derive(name, 'redis-url', signIn(engines.redis, name, password))
  }
  const lines = users.map(
    ([name, state, rights = '']) => `user ${name} ${state} resetkeys resetchannels -@all ${rights}`,
  )
  derive('redis', 'users.acl', lines.map((line) => `${line.trim()}\n`).join(''))

  const onKafka = using('kafka').map(({ name }) => name)
  const logins = ['kafka-rights', ...onKafka].map((name) => [name, keep(name, 'kafka-password')])
  const entries = logins.map(([name, password]) => `\n  user_${name}="${password}"`).join('')
  const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
  derive('kafka', 'jaas.conf', `KafkaServer {\n  ${plain}${entries};\n};\n`)

  keep('auth', 'admin-password', () => randomBytes(12).toString('base64url'))
}

/** The password is `random`, and so needs no escaping. */
const signIn = (url, user, password) => url.replace('://', `://${user}:${password}@`)

/** Only letters and digits, so that it needs no escaping in a URL. */
const random = () => randomBytes(24).toString('hex')

/** The format in which Redis stores passwords. */
const hashed = (password) => `#${createHash('sha256').update(password).digest('hex')}`

if (import.meta.main)
  makeSecrets('/run/secrets', readServices(process.env.SERVICES), (path, group) => chownSync(path, 0, group))
