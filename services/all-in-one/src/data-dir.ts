import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Logger, type Secrets, secrets } from '@parley/kit'
import { closeToOthers } from './closed-to-others.ts'

/** Where everything that is kept lies. */
export interface DataDir {
  readonly postgres: string
  readonly inbox: string
  /** Where the running PostgreSQL's URL is written. */
  readonly postgresUrlFile: string
  /** Variables of the services that have secrets; each is made once, readable by the owner only. */
  readonly secrets: { readonly AUTH_SECRETS: Secrets; readonly CHAT_SECRETS: Secrets }
}

/** What is kept, by its name in the data directory; all of it belongs into a backup. */
export const parts = { postgres: 'postgres', inbox: 'inbox', authSecrets: 'auth-secrets', chatSecrets: 'chat-secrets' }

/** Rights to a folder and to a file with a secret: their owner's alone. */
export const own = { folder: 0o700, file: 0o600 }

/** As root PostgreSQL runs as another user, who has to pass through. Nobody may list what is there, and each part of it is closed by itself. */
export const rootMode = (): number => (process.getuid?.() === 0 ? 0o711 : own.folder)

/**
 * Opens the data directory, which is made at the first start and open to nobody but its owner. One that was open to others, such as by an earlier
 * version, is closed and the log says so.
 */
export async function openDataDir(path: string, log: Logger): Promise<DataDir> {
  const root = resolve(path)
  const inbox = join(root, parts.inbox)
  const postgresUrlFile = join(root, 'postgres-url')
  // Of a version whose services had one secret together.
  const formerFile = join(root, 'internal-secret')
  const [ofAuth, ofChat] = [join(root, parts.authSecrets), join(root, parts.chatSecrets)]
  await mkdir(root, { recursive: true, mode: rootMode() })
  await closeToOthers(root, rootMode(), log)
  await closeToOthers(inbox, own.folder, log)
  for (const file of [postgresUrlFile, formerFile, ofAuth, ofChat]) await closeToOthers(file, own.file, log)
  const former = await readFile(formerFile, 'utf8').catch(unless('ENOENT'))
  const kept = { AUTH_SECRETS: await keptSecrets(ofAuth, former), CHAT_SECRETS: await keptSecrets(ofChat, former) }
  await rm(formerFile, { force: true })
  return { postgres: join(root, parts.postgres), inbox, postgresUrlFile, secrets: kept }
}

/** @param former what was sealed with it stays readable */
async function keptSecrets(file: string, former: string | undefined): Promise<Secrets> {
  const made = [randomBytes(32).toString('hex'), former].filter((secret) => secret !== undefined)
  // `wx` fails when the file is there, so two first starts cannot make two secrets.
  await writeFile(file, made.join(), { mode: own.file, flag: 'wx' }).catch(unless('EEXIST'))
  return secrets.parse(await readFile(file, 'utf8'))
}

/** Passes over one failure of the file system. */
const unless =
  (code: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== code) throw error
  }
