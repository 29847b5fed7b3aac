import { openEmbeddedPostgres } from '@parley/db/embedded'
import { createLogger } from '@parley/kit'

// A process for tests to kill: opens the data folder, prints the URL, and closes on a message; it ignores signals.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => undefined)
const [dataDir = ''] = process.argv.slice(2)
const postgres = await openEmbeddedPostgres({ dataDir, log: createLogger('embedded', 'silent') })
process.once('message', async () => {
  await postgres.close()
  process.disconnect()
})
process.send?.(postgres.url)
