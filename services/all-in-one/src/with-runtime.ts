import { openMemoryHub } from '@parley/cache'
import { createLogger, type Logger } from '@parley/kit'
import { readAllInOneConfig } from './config.ts'
import { openDataDir } from './data-dir.ts'
import { openRuntime, type Runtime } from './runtime.ts'
import { withPostgres } from './with-postgres.ts'

/** Runs an operator's command on the data of `npm start`, whether Parley is running or not. @param name in the log */
export async function withRuntime<T>(
  name: string,
  work: (runtime: Runtime, on: { readonly postgresUrl: string; readonly log: Logger }) => Promise<T>,
): Promise<T> {
  const variables = readAllInOneConfig()
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
