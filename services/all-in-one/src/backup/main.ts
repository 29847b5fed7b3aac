import { createLogger, interruptible, runMain, usageError } from '@parley/kit'
import { readAllInOneConfig } from '../config.ts'
import { backUp } from './back-up.ts'

/** `npm run backup -- FILE`: a point-in-time backup of `DATA_DIR`, whether Parley is running or not. */
await runMain(async () => {
  const [file, ...rest] = process.argv.slice(2)
  if (file === undefined || rest.length > 0) throw usageError('Usage: npm run backup -- FILE')
  const { DATA_DIR: dataDir, LOG_LEVEL } = readAllInOneConfig()
  const log = createLogger('backup', LOG_LEVEL)
  const bytes = await interruptible((signal) => backUp({ dataDir, file, log, signal }))
  console.log(`${file} contains ${dataDir}, including its secrets: ${(bytes / 1e6).toFixed(1)} MB`)
})
