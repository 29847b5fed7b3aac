// Makes the secrets of a deployment, each once: random values that no two deployments share, kept in a volume. Whoever reads one of
// them sees the folder of their own group only. Runs before everything else at every start, and adds what a newer version needs.
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = '/run/secrets'

/** Groups are numbers that no user has; docker-compose.yml gives each container its own. */
const groups = {
  gateway: 61001,
  auth: 61002,
  chat: 61003,
  'llm-router': 61004,
  billing: 61005,
  notifier: 61006,
  realtime: 61007,
  postgres: 61011,
  mongo: 61012,
  redis: 61013,
}
const onPostgres = ['auth', 'llm-router', 'billing', 'notifier']
const onRedis = ['gateway', 'auth', 'chat', 'llm-router', 'realtime']
const services = ['gateway', 'auth', 'chat', 'llm-router', 'billing', 'notifier', 'realtime']

/** Keeps a secret in the folder of a group and answers it: the one that is there, else the given one. */
function keep(owner, name, make = random) {
  const folder = join(root, owner)
  const file = join(folder, name)
  if (!existsSync(file)) {
    // Under its own name only when it is whole: a start that is cut short leaves nothing half written.
    writeFileSync(`${file}.part`, make(), { mode: 0o440 })
    chownSync(`${file}.part`, 0, groups[owner])
    renameSync(`${file}.part`, file)
  }
  return readFileSync(file, 'utf8')
}

/** Letters and digits only, so that it needs no escaping in an address. */
function random() {
  return randomBytes(24).toString('hex')
}

for (const [owner, group] of Object.entries(groups)) {
  const folder = join(root, owner)
  mkdirSync(folder, { recursive: true })
  chownSync(folder, 0, group)
  chmodSync(folder, 0o750)
}

const internal = keep('gateway', 'internal-secret')
for (const service of services) keep(service, 'internal-secret', () => internal)

keep('postgres', 'password')
for (const service of onPostgres) {
  const role = service.replace('-', '_')
  const password = keep('postgres', `${role}-password`)
  keep(service, 'postgres-url', () => `postgres://${role}:${password}@postgres:5432/parley`)
}

const mongoPassword = keep('mongo', 'password')
keep('mongo', 'keyfile', () => randomBytes(192).toString('base64'))
keep('chat', 'mongo-url', () => `mongodb://parley:${mongoPassword}@mongo:27017/chat?authSource=admin`)

const redisPassword = keep('redis', 'password')
for (const service of onRedis) keep(service, 'redis-url', () => `redis://:${redisPassword}@redis:6379`)

keep('auth', 'admin-password', () => randomBytes(12).toString('base64url'))
