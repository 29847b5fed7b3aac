import { fileURLToPath } from 'node:url'
import type { Logger } from '@parley/kit'
import type pg from 'pg'
import { onConnection } from './on-connection.ts'
import { checkSchemaName } from './schema-name.ts'

export interface MigrateOptions {
  readonly url: string
  /** Made when it is missing and the role may make schemas; the tables and the record of what ran live in it. */
  readonly schema: string
  /** Absolute path of a folder of `0001_what.sql` files: plain SQL with unqualified names, never changed once released. */
  readonly dir: string
  readonly log: Logger
}

const sharedDir = fileURLToPath(new URL('../migrations', import.meta.url))

/**
 * Brings a schema up to date: first the outbox and inbox that every service has, then the service's own files, in the order of their numbers.
 * All replicas may call it at once; one migrates and the others wait. A failure leaves the schema unchanged.
 * @throws when a file fails, is missing or was added before one that already ran
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const connection = {
    connectionString: options.url,
    application_name: `${checkSchemaName(options.schema)} migrations`,
    connectionTimeoutMillis: 30_000,
  }
  await onConnection(connection, async (client) => {
    // node-pg-migrate's own lock is one for the whole database and fails instead of waiting.
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`migrate:${options.schema}`])
    const { rows } = await client.query('select from pg_namespace where nspname = $1', [options.schema])
    // Even `if not exists` takes the right to make schemas, which a service's own role does not have.
    const createSchema = rows.length === 0
    await run(client, options, sharedDir, 'shared_migrations', createSchema)
    await run(client, options, options.dir, 'migrations', createSchema)
  })
}

async function run(
  client: pg.Client,
  { schema, log }: MigrateOptions,
  dir: string,
  table: string,
  createSchema: boolean,
): Promise<void> {
  // Loaded on demand: it brings a compiler for migrations in TypeScript, which a process that has started never needs.
  const { runner } = await import('node-pg-migrate')
  const ran = await runner({
    dbClient: client,
    dir,
    direction: 'up',
    schema,
    createSchema,
    migrationsSchema: schema,
    migrationsTable: table,
    noLock: true,
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
  })
  if (ran.length > 0) log.info({ schema, files: ran.map(({ name }) => name) }, 'migrated')
}
