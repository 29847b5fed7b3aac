import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run migrate -- <service>`: brings the store of one service up to date and ends. Takes that service's own `POSTGRES_URL` or `MONGO_URL`
 * (for auth `AUTH_SECRETS`, too, and `LOG_LEVEL` for any), also by `NAME_FILE`. In a container the same is `node src/main.ts migrate`.
 */
const services = join(import.meta.dirname, '../services')
const stores = readdirSync(services).filter(
  (name) => existsSync(join(services, name, 'migrations')) || existsSync(join(services, name, 'src/store')),
)
const [service = '', ...rest] = process.argv.slice(2)

if (rest.length > 0 || !stores.includes(service)) {
  console.error(`Usage: npm run migrate -- ${stores.join(' | ')}`)
  process.exitCode = 2
} else {
  const main = join(services, service, 'src/main.ts')
  process.exitCode = spawnSync(process.execPath, [main, 'migrate'], { stdio: 'inherit' }).status ?? 1
}
