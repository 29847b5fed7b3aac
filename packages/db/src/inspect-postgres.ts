import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { StoreReport } from '@parley/kit'
import pg from 'pg'
import { connectTimeoutMs } from './connect-timeout.ts'
import { checkSchemaName } from './schema-name.ts'

/** The schema to inspect, and the migrations that make it. */
export interface InspectOptions {
  readonly url: string
  readonly schema: string
  /** Absolute path of the folder that `migrate` is given. */
  readonly dir: string
}

/** The server's version, and how the schema compares to this version's migrations. Changes nothing. @throws the server's errors */
export async function inspectPostgres({ url, schema, dir }: InspectOptions): Promise<StoreReport> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'doctor',
    connectionTimeoutMillis: connectTimeoutMs(url),
    query_timeout: 10_000,
  })
  // Reported by the query that it breaks.
  client.on('error', () => undefined)
  await client.connect()
  try {
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
  } finally {
    await client.end()
  }
}

/** @param ran names of those that the database remembers @param known names of those that this version has */
export const compareMigrations = (
  ran: readonly string[],
  known: readonly string[],
): Pick<StoreReport, 'due' | 'unknown'> => ({
  due: known.filter((name) => !ran.includes(name)).sort(),
  unknown: ran.filter((name) => !known.includes(name)).sort(),
})
