import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger, Secrets } from '@parley/kit'
import { closeToOthers } from './closed-to-others.ts'
import { exists } from './exists.ts'
import { DataDirError, makeSecretFile, readIfExists, readSecretFile } from './secret-files.ts'

/** The paths and secrets of a data directory. */
export interface DataDir {
  /** Absolute. */
  readonly root: string
  readonly postgres: string
  readonly inbox: string
  /** The file with the URL of the running PostgreSQL. */
  readonly postgresUrlFile: string
  /** The secrets of services, by variable; each is generated once, in a file readable by the owner only. */
  readonly secrets: { readonly AUTH_SECRETS: Secrets; readonly CHAT_SECRETS: Secrets }
}

/** The contents of the data directory by name; a backup includes all of them. */
export const parts = { postgres: 'postgres', inbox: 'inbox', authSecrets: 'auth-secrets', chatSecrets: 'chat-secrets' }

/** Modes of a folder and of a file with a secret: the owner's only. */
export const own = { folder: 0o700, file: 0o600 }

/** Under root PostgreSQL runs as another user, who must traverse the folder. It cannot be listed, and each part has its own restrictions. */
export const rootMode = (): number => (process.getuid?.() === 0 ? 0o711 : own.folder)

/** The folder of a data directory in which a restore prepares the data. */
export const restoringFolder = '.restoring'

/** Whether a data directory contains data. The folder around its database may exist before the first start, such as a volume of its own. */
export const hasDatabase = (root: string): Promise<boolean> => exists(join(root, parts.postgres, 'cluster'))

/** Why a folder cannot be used because a restore into it has not finished; undefined if there is none. The database is moved into place last. */
export async function unfinishedRestore(root: string): Promise<string | undefined> {
  const folder = join(root, restoringFolder)
  if (!(await exists(folder)) || (await hasDatabase(root))) return undefined
  return `${folder} belongs to a restore that is running or was interrupted: run npm run restore again, or remove it to start without data`
}

/**
 * Opens the data directory, creating it at the first start for its owner only. Permissions of other users, such as from an earlier version, are
 * removed and logged.
 * @throws DataDirError if a restore has not finished, or a secret of existing data is missing: a new one in its place would lose what is sealed
 */
export async function openDataDir(path: string, log: Logger): Promise<DataDir> {
  const { root, inbox, postgresUrlFile, former, ofAuth, ofChat } = pathsIn(path)
  const refusal = await unfinishedRestore(root)
  if (refusal !== undefined) throw new DataDirError(refusal)
  await mkdir(root, { recursive: true, mode: rootMode() })
  await closeToOthers(root, rootMode(), log)
  await closeToOthers(inbox, own.folder, log)
  for (const file of [postgresUrlFile, former, ofAuth, ofChat]) await closeToOthers(file, own.file, log)
  const shared = await sharedSecret(former)
  if (shared !== undefined || !(await hasDatabase(root)))
    for (const file of [ofAuth, ofChat]) await makeSecretFile(file, shared)
  const data = await readDataDir(path)
  // Not before: the other files are on disk and contain it.
  await rm(former, { force: true })
  return data
}

/**
 * Reads the data directory of a Parley that was started before, and changes nothing.
 * @throws DataDirError if a secret is missing or invalid
 */
export async function readDataDir(path: string): Promise<DataDir> {
  const { root, postgres, inbox, postgresUrlFile, former, ofAuth, ofChat } = pathsIn(path)
  const from = { former: await sharedSecret(former), sealed: (await hasDatabase(root)) ? root : undefined }
  const read = { AUTH_SECRETS: await readSecretFile(ofAuth, from), CHAT_SECRETS: await readSecretFile(ofChat, from) }
  return { root, postgres, inbox, postgresUrlFile, secrets: read }
}

/** Undefined also for an empty file, which a full disk left. */
const sharedSecret = async (file: string): Promise<string | undefined> => (await readIfExists(file)) || undefined

function pathsIn(path: string) {
  const root = resolve(path)
  return {
    root,
    postgres: join(root, parts.postgres),
    inbox: join(root, parts.inbox),
    postgresUrlFile: join(root, 'postgres-url'),
    ofAuth: join(root, parts.authSecrets),
    ofChat: join(root, parts.chatSecrets),
    /** From a version in which all services shared one secret. */
    former: join(root, 'internal-secret'),
  }
}
