import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '@parley/db/embedded'
import { createLogger } from '@parley/kit'
import type { TestProject } from 'vitest/node'
import { readTestConfig } from './config.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A superuser's URL of the run's PostgreSQL. */
    postgresUrl: string
  }
}

/** Gives the run one PostgreSQL, which every test file takes its own database of: `TEST_POSTGRES_URL`, else a fresh embedded one. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject()
  // Each project of the run comes here; the first one opens it for all.
  if (run.getProvidedContext().postgresUrl !== undefined) return undefined
  const { TEST_POSTGRES_URL: given } = readTestConfig()
  if (given !== undefined) {
    run.provide('postgresUrl', given)
    return undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const postgres = await openEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    log: createLogger('test-postgres', 'warn'),
    ephemeral: true,
  })
  const stop = async (): Promise<void> => {
    await postgres.close()
    await rm(folder, { recursive: true, force: true })
  }
  const onSignal = (): void => void stop()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  run.provide('postgresUrl', postgres.url)
  return async () => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    await stop()
  }
}
