import { createDatabase, dropDatabase } from '@parley/db'
import { newId } from '@parley/kit'

/** Of no service's choosing: an order that is left to the database's collation shows in a test. */
const testLocale = 'en-US'
/** A crowded machine may take long to begin a session. */
const connectSeconds = 20
/** PostgreSQL's code of a server that was built without ICU; its own collation has to do. */
const notSupported = '0A000'

/** An empty database of one test file's own. */
export interface TestDatabase {
  readonly url: string
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>
}

/**
 * A fresh, empty database of the run's PostgreSQL. Only inside Vitest projects that have the global setup.
 * @throws Error when there is no PostgreSQL
 */
export async function testDatabase(): Promise<TestDatabase> {
  // Loaded here, since outside a test run the rest of this package is of use too.
  const { inject } = await import('vitest')
  const admin = inject('engines').postgres
  if (admin === undefined) throw new Error('This run has no postgres')
  const name = `test_${newId()}`
  const url = await createDatabase(admin, name, testLocale).catch((error: { code?: string }) => {
    if (error.code !== notSupported) throw error
    return createDatabase(admin, name)
  })
  return { url: withConnectTimeout(url), drop: () => dropDatabase(admin, name) }
}

function withConnectTimeout(url: string): string {
  const patient = new URL(url)
  patient.searchParams.set('connect_timeout', String(connectSeconds))
  return patient.href
}
