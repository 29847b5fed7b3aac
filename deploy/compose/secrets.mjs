// Makes the secrets of a deployment, each once: random values that no two deployments share, kept in a volume. Whoever reads one of
// them sees the folder of their own group only. Runs before everything else at every start, and adds what a newer version needs.
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { redisRights } from '../../packages/cache/src/redis/redis-rights.ts'
import { newIdentityKey, publicKeySet } from '../../packages/kit/src/identity-key-pair.ts'

/** Groups are numbers that no user has; docker-compose.yml gives each container its own, those of the services in `SERVICES`. */
const groupsOfEngines = { postgres: 61011, mongo: 61012, redis: 61013, kafka: 61014, 'kafka-rights': 61015 }

/** The services that a text names, one a line: name, group, and what it uses. */
export const readServices = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([name, group, ...uses]) => ({ name, group: Number(group), uses }))

/** What a service uses of Redis beyond signals, its own cache and its own counters. */
const redisUses = (uses) => ({
  streams: uses.includes('streams'),
  ...(uses.includes('key-windows') && { windowsOf: [{ scope: 'llm-router', start: 'key:' }] }),
  ...(uses.includes('sockets') && { broadcast: { key: 'parley:socket.io', namespaces: ['/', '/realtime'] } }),
})

/**
 * Makes what is missing under `root`.
 * @param services as of `readServices`
 * @param own gives a path to a group, as `chownSync(path, 0, group)`
 */
export function makeSecrets(root, services, own) {
  const groups = { ...Object.fromEntries(services.map(({ name, group }) => [name, group])), ...groupsOfEngines }
  const using = (engine) => services.filter(({ uses }) => uses.includes(engine))
  /** Writes a file of a group under its own name only when it is whole: a start that is cut short leaves nothing half written. */
  const write = (owner, name, value) => {
    const file = join(root, owner, name)
    writeFileSync(`${file}.part`, value, { mode: 0o440 })
    own(`${file}.part`, groups[owner])
    renameSync(`${file}.part`, file)
  }
  const read = (owner, name) => readFileSync(join(root, owner, name), 'utf8')
  /** Keeps a secret in the folder of a group and answers it: the one that is there, else the given one. */
  const keep = (owner, name, make = random) => {
    if (!existsSync(join(root, owner, name))) write(owner, name, make())
    return read(owner, name)
  }
  /** Keeps what is made of secrets as it has to be now, which a newer version may change. */
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

  // What the one secret of all services sealed, in a version before, is opened by those who sealed it; nobody else keeps it.
  const former = services.map(({ name }) => join(root, name, 'internal-secret')).filter(existsSync)
  const [opening = []] = former.map((file) => [readFileSync(file, 'utf8')])
  for (const { name } of using('secrets')) keep(name, 'secrets', () => [random(), ...opening].join())
  for (const file of former) rmSync(file)

  keep('postgres', 'password')
  for (const { name } of using('postgres')) {
    const role = name.replaceAll('-', '_')
    const password = keep('postgres', `${role}-password`)
    derive(name, 'postgres-url', `postgres://${role}:${password}@postgres:5432/parley`)
  }

  keep('mongo', 'password')
  keep('mongo', 'keyfile', () => randomBytes(192).toString('base64'))
  for (const { name } of using('mongo'))
    derive(name, 'mongo-url', `mongodb://${name}:${keep('mongo', `${name}-password`)}@mongo:27017/${name}`)

  // The user without a name may do nothing; the health check asks as a user that may ask just that.
  const users = [
    ['default', 'off'],
    ['health', `on ${hashed(keep('redis', 'password'))}`, '+ping'],
  ]
  for (const { name, uses } of using('redis')) {
    const password = keep('redis', `${name}-password`)
    users.push([name, `on ${hashed(password)}`, redisRights('parley', name, redisUses(uses))])
    derive(name, 'redis-url', `redis://${name}:${password}@redis:6379`)
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

/** Letters and digits only, so that it needs no escaping in an address. */
const random = () => randomBytes(24).toString('hex')

/** As Redis keeps passwords. */
const hashed = (password) => `#${createHash('sha256').update(password).digest('hex')}`

if (import.meta.main)
  makeSecrets('/run/secrets', readServices(process.env.SERVICES), (path, group) => chownSync(path, 0, group))
