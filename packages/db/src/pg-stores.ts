import { fileURLToPath } from 'node:url'
import { inspectPostgres } from './inspect-postgres.ts'
import { migrate } from './migrate.ts'
import { openPgOutbox } from './outbox.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'

export interface PgStoresOptions extends PostgresOptions {
  /** The folder of the service's migrations. */
  readonly migrations: URL
}

/** What a service's stores are made of: a pool, and `common`, which they all offer. Connects on demand. */
export function openPgStores<DB>({ migrations, ...options }: PgStoresOptions) {
  const postgres = openPostgres<DB>(options)
  const outbox = openPgOutbox(options)
  const own = { ...options, dir: fileURLToPath(migrations) }
  const common = {
    /** Events written with the state, for the relay. */
    outbox,
    /** Rejects when the database cannot be reached. */
    ping: postgres.ping,
    inspect: () => inspectPostgres(own),
    /** Brings the tables up to date; safe from several replicas at once. */
    migrate: () => migrate(own),
    /** Idempotent. */
    async close(): Promise<void> {
      await Promise.all([outbox.close(), postgres.close()])
    },
  }
  return { postgres, common }
}
