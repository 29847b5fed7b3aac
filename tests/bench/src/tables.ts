import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceName } from '@parley/contracts'
import { openPostgres } from '@parley/db'
import { createLogger } from '@parley/kit'
import type { Parley } from './parley.ts'

/** Direct access to the tables of a service. */
export type Tables = Awaited<ReturnType<typeof openTables>>

/** Connects to the PostgreSQL of a local Parley, in the schema of a service. Dispose of it to disconnect. */
export async function openTables({ dataDir }: Parley, schema: ServiceName) {
  const url = await readFile(join(dataDir, 'postgres-url'), 'utf8')
  const database = openPostgres({ url, schema, max: 1, unlimited: true, log: createLogger('bench', 'error') })
  const client = await database.pool.connect()
  await client.query("set maintenance_work_mem = '512MB'")
  return {
    /** Resolves to the first row; has no timeout. */
    async run<T extends object>(text: string, values: readonly unknown[] = []): Promise<T | undefined> {
      return (await client.query<T>(text, [...values])).rows[0]
    },
    async [Symbol.asyncDispose]() {
      client.release()
      await database.close()
    },
  }
}
