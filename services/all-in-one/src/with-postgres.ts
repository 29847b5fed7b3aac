import { readFile, rm, writeFile } from 'node:fs/promises'
import { openPostgres } from '@parley/db'
import { openEmbeddedPostgres } from '@parley/db/embedded'
import type { Logger } from '@parley/kit'
import type { DataDir } from './data-dir.ts'

/** Tells commands of this machine where the running PostgreSQL is; readable by the owner only. Returns how to take it back. */
export async function announcePostgres(data: DataDir, url: string): Promise<() => Promise<void>> {
  await writeFile(data.postgresUrlFile, url, { mode: 0o600 })
  return () => rm(data.postgresUrlFile, { force: true })
}

/** Runs `work` on the PostgreSQL of a data directory: the one that runs, else one started for it. */
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
  // Without the file none runs.
  const url = await readFile(data.postgresUrlFile, 'utf8').catch(() => undefined)
  if (url === undefined) return undefined
  const database = openPostgres({ url, schema: 'public', log })
  try {
    await database.ping()
    return url
  } catch {
    // Left behind by a process that was killed: nothing answers there.
    return undefined
  } finally {
    await database.close()
  }
}
