import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Where everything that is kept lies. */
export interface DataDir {
  readonly postgres: string
  readonly inbox: string
  /** Where the running PostgreSQL's URL is written. */
  readonly postgresUrlFile: string
  /** Signs statements of identity; made once, readable by the owner only. */
  readonly internalSecret: string
}

/** Opens the data directory, which is made at the first start. */
export async function openDataDir(path: string): Promise<DataDir> {
  const root = resolve(path)
  await mkdir(root, { recursive: true })
  return {
    postgres: join(root, 'postgres'),
    inbox: join(root, 'inbox'),
    postgresUrlFile: join(root, 'postgres-url'),
    internalSecret: await keptSecret(join(root, 'internal-secret')),
  }
}

async function keptSecret(file: string): Promise<string> {
  try {
    // `wx` fails when the file is there, so two first starts cannot make two secrets.
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(file, 'utf8')
}
