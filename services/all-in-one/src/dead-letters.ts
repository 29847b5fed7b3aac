import { runDeadLetterCommand } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import { createLogger, runMain } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { openHouse } from './house.ts'
import { openSubscriptions } from './subscriptions.ts'
import { withPostgres } from './with-postgres.ts'

/**
 * `npm run dead-letters -- list` and `-- replay`, of every group or of the one named after it, whether Parley runs or not: events that a service could
 * not handle after all its tries.
 */
await runMain(async () => {
  const config = readAllInOneConfig()
  const log = createLogger('dead-letters', config.LOG_LEVEL)
  const data = await openDataDir(config.DATA_DIR, log)
  await withPostgres(data, log, async (postgresUrl) => {
    const { internalSecret } = data
    const publicUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`
    const hub = openMemoryHub({ log })
    const house = openHouse({ engines: { postgresUrl, hub }, internalSecret, log })
    try {
      const subscriptions = await openSubscriptions(house, { config, internalSecret, publicUrl })
      const work = { bus: await house.bus(), subscriptions, log }
      for (const line of await runDeadLetterCommand(work, process.argv.slice(2))) console.log(line)
    } finally {
      await house.close()
      await hub.close()
    }
  })
})
