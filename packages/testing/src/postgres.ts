import { createDatabase, dropDatabase } from '@parley/db'
import { newId } from '@parley/kit'

/** An empty database of one test file's own. */
export interface TestDatabase {
  readonly url: string
  /** Ends every connection to it and removes it. */
  drop(): Promise<void>
}

/** A fresh, empty database of the run's PostgreSQL. Only inside Vitest projects that have the global setup. */
export async function testDatabase(): Promise<TestDatabase> {
  // Loaded here, since it refuses to be loaded outside a test run, where the rest of this package is of use too.
  const { inject } = await import('vitest')
  const admin = inject('postgresUrl')
  const name = `test_${newId()}`
  return { url: await createDatabase(admin, name), drop: () => dropDatabase(admin, name) }
}
