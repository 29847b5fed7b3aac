import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from '@parley/kit'
import { closeToOthers } from './closed-to-others.ts'

/** Where everything that is kept lies. */
export interface DataDir {
  readonly postgres: string
  readonly inbox: string
  /** Where the running PostgreSQL's URL is written. */
  readonly postgresUrlFile: string
  /** Signs statements of identity; made once, readable by the owner only. */
  readonly internalSecret: string
}

/** Rights to a folder and to a file with a secret: their owner's alone. */
const own = { folder: 0o700, file: 0o600 }

/**
 * Opens the data directory, which is made at the first start and open to nobody but its owner. One that was open to others, such as by an earlier
 * version, is closed and the log says so.
 */
export async function openDataDir(path: string, log: Logger): Promise<DataDir> {
  const root = resolve(path)
  // As root PostgreSQL runs as another user, who has to pass through. Nobody may list what is there, and each part of it is closed by itself.
  const rootMode = process.getuid?.() === 0 ? 0o711 : own.folder
  const inbox = join(root, 'inbox')
  const postgresUrlFile = join(root, 'postgres-url')
  const secretFile = join(root, 'internal-secret')
  await mkdir(root, { recursive: true, mode: rootMode })
  await closeToOthers(root, rootMode, log)
  await closeToOthers(inbox, own.folder, log)
  for (const file of [postgresUrlFile, secretFile]) await closeToOthers(file, own.file, log)
  return { postgres: join(root, 'postgres'), inbox, postgresUrlFile, internalSecret: await keptSecret(secretFile) }
}

async function keptSecret(file: string): Promise<string> {
  try {
    // `wx` fails when the file is there, so two first starts cannot make two secrets.
    await writeFile(file, randomBytes(32).toString('hex'), { mode: own.file, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFile(file, 'utf8')
}
