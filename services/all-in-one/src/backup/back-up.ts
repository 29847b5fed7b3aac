import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { type BackupEntry, backUpEmbeddedPostgres, embeddedPostgresVersion } from '@parley/db/embedded'
import type { Logger } from '@parley/kit'
import yazl from 'yazl'
import { type DataDir, hasDatabase, own, parts, readDataDir } from '../data-dir.ts'
import { exists } from '../exists.ts'
import { withPostgres } from '../with-postgres.ts'
import { hashing } from './hashing.ts'
import { BackupError, type Manifest, manifestPath, parleyVersion } from './manifest.ts'

/** The source and target of a backup. */
export interface BackUpOptions {
  readonly dataDir: string
  /** Created only once the backup is complete. */
  readonly file: string
  readonly log: Logger
  /** Aborts the backup. */
  readonly signal: AbortSignal
}

/**
 * Writes a point-in-time backup of a data directory into one ZIP, whether Parley is running or not. Resolves to its size in bytes.
 * @throws BackupError if there is no data or the file exists; Error of the system or of PostgreSQL; the signal's reason. No file is left then
 */
export async function backUp({ dataDir, file, log, signal }: BackUpOptions): Promise<number> {
  const root = resolve(dataDir)
  const target = resolve(file)
  if (!(await hasDatabase(root))) throw new BackupError(`${root} contains no Parley data`)
  if (await exists(target)) throw new BackupError(`${target} exists: name a new file`)
  const data = await readDataDir(root)
  const draft = `${target}.part`
  try {
    await withPostgres(data, log, (url) => write(draft, entriesOf(data, url), signal))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return (await stat(target)).size
}

/** Secrets come first, because data in the database was sealed with them. */
async function* entriesOf({ inbox, postgres, secrets }: DataDir, url: string): AsyncGenerator<BackupEntry> {
  const ofServices = { [parts.authSecrets]: secrets.AUTH_SECRETS, [parts.chatSecrets]: secrets.CHAT_SECRETS }
  for (const [path, list] of Object.entries(ofServices)) {
    yield { path, isFolder: false, content: Readable.from([Buffer.from(list.join())]) }
  }
  for (const name of await readdir(inbox).catch(() => [])) {
    if (!name.endsWith('.json')) continue
    yield { path: `${parts.inbox}/${name}`, isFolder: false, content: createReadStream(join(inbox, name)) }
  }
  yield { path: parts.inbox, isFolder: true }
  for await (const entry of backUpEmbeddedPostgres(postgres, url)) {
    yield { ...entry, path: `${parts.postgres}/${entry.path}` }
  }
}

async function write(draft: string, entries: AsyncIterable<BackupEntry>, signal: AbortSignal): Promise<void> {
  const [startedAt, postgres] = [new Date().toISOString(), await embeddedPostgresVersion()]
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  // A failed write, such as on a full disk, must end reading, too.
  const failed = new AbortController()
  // Private, because it contains the secrets.
  const written = pipeline(output, createWriteStream(draft, { mode: own.file, flush: true }))
  written.catch((error) => failed.abort(error))
  try {
    const files = await addAll(zip, entries, AbortSignal.any([failed.signal, signal]))
    const manifest: Manifest = { format: 1, parley: parleyVersion, postgres, startedAt, files }
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestPath)
    zip.end()
  } catch (error) {
    failed.signal.throwIfAborted()
    output.destroy()
    // The file is closed before it is removed.
    await written.catch(() => undefined)
    throw error
  }
  await written
}

/** Adds the entries one by one. Resolves to the checksums of the files. */
async function addAll(zip: yazl.ZipFile, entries: AsyncIterable<BackupEntry>, signal: AbortSignal) {
  const files: Record<string, string> = {}
  for await (const entry of entries) {
    signal.throwIfAborted()
    if (entry.isFolder) {
      zip.addEmptyDirectory(entry.path)
      continue
    }
    const hash = createHash('sha256')
    const content = new PassThrough()
    zip.addReadStream(content, entry.path, { mode: 0o100600, compressionLevel: 1 })
    await Promise.all([pipeline(entry.content, hashing(hash), content, { signal }), finished(content, { signal })])
    files[entry.path] = hash.digest('hex')
  }
  return files
}
