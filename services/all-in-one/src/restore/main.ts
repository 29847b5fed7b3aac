import { createLogger, interruptible, runMain, usageError } from '@parley/kit'
import { restore } from '../backup/restore.ts'
import { readAllInOneConfig } from '../config.ts'

/** `npm run restore -- FILE`: restores a backup into `DATA_DIR`, which must be empty. */
await runMain(async () => {
  const [file, ...rest] = process.argv.slice(2)
  if (file === undefined || rest.length > 0) throw usageError('Usage: npm run restore -- FILE')
  const { DATA_DIR: dataDir, LOG_LEVEL } = readAllInOneConfig()
  const log = createLogger('restore', LOG_LEVEL)
  const { parley, startedAt } = await interruptible((signal) => restore({ file, dataDir, log, signal }))
  console.log(
    `${dataDir} is restored to its state at ${startedAt}, backed up by Parley ${parley}. Continue with npm start`,
  )
})
