import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Parley } from './parley.ts'

const seed = fileURLToPath(new URL('../../../services/all-in-one/src/seed/main.ts', import.meta.url))

/** Seeds a running Parley like `npm run seed`: users with a year of usage and ten audit entries each, up to 5,000 API keys and 500 models. */
export async function seedUsers({ dataDir }: Parley, users: number): Promise<void> {
  const { PATH, HOME } = process.env
  await promisify(execFile)(process.execPath, [seed, '--users', String(users)], {
    env: { PATH, HOME, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  })
}
