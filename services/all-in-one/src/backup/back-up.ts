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

/** What is backed up, and where to. */
export interface BackUpOptions {
  readonly dataDir: string
  /** Appears once it is whole. */
  readonly file: string
  readonly log: Logger
}

/**
 * Writes everything that a data directory keeps into one ZIP, as of one moment, whether Parley runs or not. Resolves to its size in bytes.
 * @throws BackupError when there are no data or the file exists; Error of the system or of PostgreSQL, and then no file is left
 */
export async function backUp({ dataDir, file, log }: BackUpOptions): Promise<number> {
  const root = resolve(dataDir)
  const target = resolve(file)
  if (!(await exists(join(root, parts.postgres)))) throw new BackupError(`${root} holds no data of Parley`)
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

/** Secrets come first: whatever the database says was sealed with them. */
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
  // A full disk ends the reading, too.
  const failed = new AbortController()
  // It holds the secrets.
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

/** Adds each entry when the one before it has been written. Resolves to the checksums of the files. */
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
