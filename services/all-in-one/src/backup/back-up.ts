import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { type BackupEntry, backUpEmbeddedPostgres, embeddedPostgresVersion } from '@parley/db/embedded'
import type { Logger } from '@parley/kit'
import yazl from 'yazl'
import { openDataDir, own, parts } from '../data-dir.ts'
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
}

/**
 * Writes a point-in-time backup of a data directory into one ZIP, whether Parley is running or not. Resolves to its size in bytes.
 * @throws BackupError if there is no data or the file exists; Error of the system or of PostgreSQL. No file is left then
 */
export async function backUp({ dataDir, file, log }: BackUpOptions): Promise<number> {
  const root = resolve(dataDir)
  const target = resolve(file)
  if (!(await exists(join(root, parts.postgres)))) throw new BackupError(`${root} contains no Parley data`)
  if (await exists(target)) throw new BackupError(`${target} exists: name a new file`)
  const data = await openDataDir(root, log)
  const draft = `${target}.part`
  try {
    await withPostgres(data, log, (url) => write(draft, entriesOf(root, data.postgres, url)))
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return (await stat(target)).size
}

/** Secrets come first, because data in the database was sealed with them. */
async function* entriesOf(root: string, postgres: string, url: string): AsyncGenerator<BackupEntry> {
  const inbox = await readdir(join(root, parts.inbox)).catch(() => [])
  const mails = inbox.filter((name) => name.endsWith('.json')).map((name) => `${parts.inbox}/${name}`)
  for (const path of [parts.authSecrets, parts.chatSecrets, ...mails]) {
    yield { path, isFolder: false, content: createReadStream(join(root, path)) }
  }
  yield { path: parts.inbox, isFolder: true }
  for await (const entry of backUpEmbeddedPostgres(postgres, url)) {
    yield { ...entry, path: `${parts.postgres}/${entry.path}` }
  }
}

async function write(draft: string, entries: AsyncIterable<BackupEntry>): Promise<void> {
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
    const files = await addAll(zip, entries, failed.signal)
    const manifest: Manifest = { format: 1, parley: parleyVersion, postgres, startedAt, files }
    zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestPath)
    zip.end()
  } catch (error) {
    failed.signal.throwIfAborted()
    output.destroy()
    throw error
  }
  await written
}

/** Adds the entries one by one. Resolves to the checksums of the files. */
async function addAll(zip: yazl.ZipFile, entries: AsyncIterable<BackupEntry>, signal: AbortSignal) {
  const files: Record<string, string> = {}
  for await (const entry of entries) {
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
