import { join, resolve } from 'node:path'
import { openMemoryHub } from '@parley/cache'
import { createLogger, type Logger, usageError } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { openDataDir, parts } from './data-dir.ts'
import { exists } from './exists.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { withPostgres } from './with-postgres.ts'

/**
 * Runs an operator's command on the data of `npm start`, whether Parley is running or not.
 * @param name in the log
 * @param mayCreate creates missing data; a command that only reads or repairs would leave an empty database in a mistyped folder
 * @throws Error for the operator if there is no data
 */
export async function withRuntime<T>(
  name: string,
  work: (runtime: Runtime, on: { readonly postgresUrl: string; readonly log: Logger }) => Promise<T>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<T> {
  const variables = readAllInOneConfig()
  const root = resolve(variables.DATA_DIR)
  if (!mayCreate && !(await exists(join(root, parts.postgres))))
    throw usageError(`${root} contains no Parley data: set DATA_DIR to the folder that npm start uses`)
  const log = createLogger(name, variables.LOG_LEVEL)
  const data = await openDataDir(variables.DATA_DIR, log)
  const PUBLIC_URL = variables.PUBLIC_URL ?? `http://localhost:${variables.PORT}`
  const config = { ...variables, PUBLIC_URL, ...data.secrets }
  return await withPostgres(data, log, async (postgresUrl) => {
    const hub = openMemoryHub({ log })
    const runtime = openRuntime({ engines: { postgresUrl, hub }, config, log })
    try {
      return await work(runtime, { postgresUrl, log })
    } finally {
      await runtime.close()
      await hub.close()
    }
  })
}
