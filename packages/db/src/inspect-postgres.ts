import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { StoreReport } from '@parley/kit'
import { connectTimeoutMs } from './connect-timeout.ts'
import type { MigrateOptions } from './migrate.ts'
import { onConnection } from './on-connection.ts'
import { checkSchemaName } from './schema-name.ts'

/** The server's version, and how the schema compares to this version's migrations. Changes nothing. @throws the server's errors */
export function inspectPostgres({ url, schema, dir }: Omit<MigrateOptions, 'log'>): Promise<StoreReport> {
  const connection = {
    connectionString: url,
    application_name: 'doctor',
    connectionTimeoutMillis: connectTimeoutMs(url),
    query_timeout: 10_000,
  }
  return onConnection(connection, async (client) => {
    const table = `${checkSchemaName(schema)}.migrations`
    const { rows } = await client.query(
      "select current_setting('server_version') as version, clock_timestamp() as now, to_regclass($1) is not null as made",
      [table],
    )
    const { version, now, made } = rows[0]
    const ran = made ? (await client.query<{ name: string }>(`select name from ${table}`)).rows : []
    const files = (await readdir(dir)).filter((name) => name.endsWith('.sql')).map((name) => basename(name, '.sql'))
    return {
      engine: `PostgreSQL ${version}`,
      now,
      ...compareMigrations(
        ran.map(({ name }) => name),
        files,
      ),
    }
  })
}

/** @param ran names of those that the database remembers @param known names of those that this version has */
export const compareMigrations = (
  ran: readonly string[],
  known: readonly string[],
): Pick<StoreReport, 'due' | 'unknown'> => ({
  due: known.filter((name) => !ran.includes(name)).sort(),
  unknown: ran.filter((name) => !known.includes(name)).sort(),
})
