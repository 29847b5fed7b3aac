import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run migrate -- <service>`: migrates the store of one service and exits. Takes that service's `POSTGRES_URL` or `MONGO_URL` (for auth also
 * `AUTH_SECRETS`) and `LOG_LEVEL`, or their `NAME_FILE` variants. The equivalent in a container is `node src/main.ts migrate`.
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
