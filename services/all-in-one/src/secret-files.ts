import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Secrets, secrets } from '@parley/kit'
import { exists } from './exists.ts'

/** Data that needs the operator; shown without a stack trace. */
export class DataDirError extends Error {
  readonly code = 'DATA_DIR'
}

/**
 * Generates the secret in a file, readable by the owner only, unless the file exists. It is on disk, complete, once this resolves, and nothing is
 * left if this rejects: a part of a secret, such as on a full disk, would prevent every later start.
 * @param former a secret kept to read data sealed with it
 */
export async function makeSecretFile(file: string, former?: string): Promise<void> {
  if (await exists(file)) return
  const made = [randomBytes(32).toString('hex'), former].filter((secret) => secret !== undefined)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, made.join(), { mode: 0o600, flag: 'wx', flush: true })
    // Linking refuses to replace a file, so that two concurrent first starts cannot use two secrets.
    await link(draft, file).catch(unless('EEXIST'))
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(file))
}

/**
 * Reads the secrets in a file.
 * @param former used if the file is missing
 * @param sealed the folder of data that is sealed with them; undefined if there is none
 * @throws DataDirError naming the file and the remedy
 */
export async function readSecretFile(
  file: string,
  { former, sealed }: { readonly former: string | undefined; readonly sealed: string | undefined },
): Promise<Secrets> {
  const text = await readIfExists(file)
  const read = secrets.safeParse(text ?? former)
  if (read.success) return read.data
  const fault = `${file} ${text === undefined ? 'is missing' : 'contains no valid secret'}`
  if (sealed === undefined || former !== undefined) throw new DataDirError(`${fault}: remove it and start again`)
  throw new DataDirError(
    `${fault}, and the data in ${sealed} is sealed with it: restore that file from a backup. To continue without it, ` +
      `make a new one (openssl rand -hex 32 > "${file}"): users then have to sign in again, and guests lose their chats`,
  )
}

/** The contents of a file; undefined if it is missing. */
export const readIfExists = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(unless('ENOENT'))

/** Makes the names in a folder durable, which Windows does by itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Ignores one error code of the file system. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
