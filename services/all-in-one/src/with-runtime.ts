import { resolve } from 'node:path'
import { openMemoryHub } from '@parley/cache'
import { createLogger, interruptible, type Logger, unlessAborted, usageError } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { hasDatabase, openDataDir, readDataDir } from './data-dir.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { withPostgres } from './with-postgres.ts'

/**
 * Runs an operator's command on the data of `npm start`, whether Parley is running or not. A signal interrupts it.
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
  if (!mayCreate && !(await hasDatabase(root)))
    throw usageError(`${root} contains no Parley data: set DATA_DIR to the folder that npm start uses`)
  const log = createLogger(name, variables.LOG_LEVEL)
  const data = mayCreate ? await openDataDir(root, log) : await readDataDir(root)
  const PUBLIC_URL = variables.PUBLIC_URL ?? `http://localhost:${variables.PORT}`
  const config = { ...variables, PUBLIC_URL, ...data.secrets }
  const run = async (postgresUrl: string, signal: AbortSignal): Promise<T> => {
    const hub = openMemoryHub({ log })
    const runtime = openRuntime({ engines: { postgresUrl, hub }, config, log })
    try {
      return await unlessAborted(signal, () => work(runtime, { postgresUrl, log }))
    } finally {
      await runtime.close()
      await hub.close()
    }
  }
  return await interruptible((signal) => withPostgres(data, log, (postgresUrl) => run(postgresUrl, signal)))
}
