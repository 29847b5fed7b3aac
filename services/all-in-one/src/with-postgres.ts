import { readFile, rm, writeFile } from 'node:fs/promises'
import { openPostgres } from '@parley/db'
import { openEmbeddedPostgres } from '@parley/db/embedded'
import type { Logger } from '@parley/kit'
import type { DataDir } from './data-dir.ts'

/** Writes the URL of the running PostgreSQL for commands on this machine, readable by the owner only. Returns a function that removes it. */
export async function announcePostgres(data: DataDir, url: string): Promise<() => Promise<void>> {
  await writeFile(data.postgresUrlFile, url, { mode: 0o600 })
  return () => rm(data.postgresUrlFile, { force: true })
}

/** Runs `work` on the PostgreSQL of a data directory: the running one, or else one started for this. */
export async function withPostgres<T>(data: DataDir, log: Logger, work: (url: string) => Promise<T>): Promise<T> {
  const running = await runningPostgres(data, log)
  if (running !== undefined) return work(running)
  const postgres = await openEmbeddedPostgres({ dataDir: data.postgres, log })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.close()
  }
}

async function runningPostgres(data: DataDir, log: Logger): Promise<string | undefined> {
  // No file: PostgreSQL is not running.
  const url = await readFile(data.postgresUrlFile, 'utf8').catch(() => undefined)
  if (url === undefined) return undefined
  const database = openPostgres({ url, schema: 'public', log })
  try {
    await database.ping()
    return url
  } catch {
    // A stale file of a killed process.
    return undefined
  } finally {
    await database.close()
  }
}
