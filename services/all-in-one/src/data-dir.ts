import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Logger, type Secrets, secrets } from '@parley/kit'
import { closeToOthers } from './closed-to-others.ts'

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

/**
 * Opens the data directory, creating it at the first start for its owner only. Permissions of other users, such as from an earlier version, are
 * removed and logged.
 */
export async function openDataDir(path: string, log: Logger): Promise<DataDir> {
  const root = resolve(path)
  const inbox = join(root, parts.inbox)
  const postgresUrlFile = join(root, 'postgres-url')
  // From a version in which all services shared one secret.
  const formerFile = join(root, 'internal-secret')
  const [ofAuth, ofChat] = [join(root, parts.authSecrets), join(root, parts.chatSecrets)]
  await mkdir(root, { recursive: true, mode: rootMode() })
  await closeToOthers(root, rootMode(), log)
  await closeToOthers(inbox, own.folder, log)
  for (const file of [postgresUrlFile, formerFile, ofAuth, ofChat]) await closeToOthers(file, own.file, log)
  const former = await readFile(formerFile, 'utf8').catch(unless('ENOENT'))
  const kept = { AUTH_SECRETS: await keptSecrets(ofAuth, former), CHAT_SECRETS: await keptSecrets(ofChat, former) }
  await rm(formerFile, { force: true })
  return { root, postgres: join(root, parts.postgres), inbox, postgresUrlFile, secrets: kept }
}

/** @param former the shared secret, kept to read data sealed with it */
async function keptSecrets(file: string, former: string | undefined): Promise<Secrets> {
  const made = [randomBytes(32).toString('hex'), former].filter((secret) => secret !== undefined)
  // `wx` fails if the file exists, so that two concurrent first starts cannot create two secrets.
  await writeFile(file, made.join(), { mode: own.file, flag: 'wx' }).catch(unless('EEXIST'))
  return secrets.parse(await readFile(file, 'utf8'))
}

/** Ignores one error code of the file system. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
