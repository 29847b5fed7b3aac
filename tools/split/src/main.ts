import { createLogger, stopOnSignal } from '@parley/kit'
import { readSplitConfig } from './config.ts'
import { openLocalEngines } from './local-engines.ts'
import { startSplit } from './split.ts'

try {
  const config = readSplitConfig()
  const { engines, close } = await openLocalEngines()
  const split = await startSplit({ ...config, engines, show: console.log })
  const stop = async (): Promise<void> => {
    await split.stop()
    await split.dispose()
    await close()
  }
  stopOnSignal(stop, createLogger('split', config.logLevel))
  console.log(`First admin: ${split.admin.username} with password ${split.admin.password}`)
  console.log(`Inbox: ${split.inboxUrl}`)
  console.log(`Parley is ready at ${split.url}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
