import { resetPassword } from '@parley/auth'
import { openAuthStores } from '@parley/auth/stores'
import { createLogger } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { withPostgres } from './with-postgres.ts'

/** `npm run admin -- reset-password <username>`, whether Parley runs or not. */
const [command, username] = process.argv.slice(2)
if (command !== 'reset-password' || username === undefined) {
  console.error('Usage: npm run admin -- reset-password <username>')
  process.exit(2)
}
const config = readAllInOneConfig()
const log = createLogger('admin', config.LOG_LEVEL)
const password = await withPostgres(await openDataDir(config.DATA_DIR), log, async (url) => {
  const stores = openAuthStores({ url, log })
  try {
    return await resetPassword(stores, username)
  } finally {
    await stores.close()
  }
})
if (password === undefined) {
  console.error(`There is no user ${username}`)
  process.exit(1)
}
console.log(`New password of ${username}: ${password} (shown this once; all sessions are ended)`)
