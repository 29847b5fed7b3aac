import { createDatabase, dropDatabase } from '@parley/db'
import { newId } from '@parley/kit'
import pg from 'pg'

/** Deliberately not the `C` collation, so that tests reveal an order that depends on the database's collation. */
const testLocale = 'en-US'
/** Generous, since a busy machine may be slow to open a session. */
const connectSeconds = 20
/** The error code of a server without ICU, whose default collation is used instead. */
const notSupported = '0A000'

export type TestDatabase = Awaited<ReturnType<typeof testDatabase>>

/**
 * Creates an empty database for one test file on the run's PostgreSQL. Only in Vitest projects with the global setup.
 * @throws Error if there is no PostgreSQL
 */
export async function testDatabase() {
  // Imported lazily, because the rest of this package is also used outside of test runs.
  const { inject } = await import('vitest')
  const admin = inject('engines').postgres
  if (admin === undefined) throw new Error('This run has no postgres')
  const name = `test_${newId()}`
  const url = await createDatabase(admin, name, testLocale).catch((error: { code?: string }) => {
    if (error.code !== notSupported) throw error
    return createDatabase(admin, name)
  })
  const patient = new URL(url)
  patient.searchParams.set('connect_timeout', String(connectSeconds))
  return {
    url: patient.href,
    /** Terminates all connections to it and drops it. */
    drop: () => dropDatabase(admin, name),
  }
}

/** A pool for a test's own queries. It bears that its connections are terminated, as by dropping the database or killing the server. */
export function testPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config)
  pool.on('error', () => undefined)
  return pool
}
