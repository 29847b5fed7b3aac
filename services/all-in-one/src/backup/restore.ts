import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { adoptEmbeddedPostgres, embeddedPostgresVersion, openEmbeddedPostgres } from '@parley/db/embedded'
import type { Logger } from '@parley/kit'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { own, parts } from '../data-dir.ts'
import { claimDraft, makeDraft } from './draft.ts'
import { hashing } from './hashing.ts'
import { BackupError, type Manifest, manifestPath, manifestSchema, parleyVersion, refusalOf } from './manifest.ts'

/** The source and target of a restore. */
export interface RestoreOptions {
  readonly file: string
  /** Empty or missing. */
  readonly dataDir: string
  readonly log: Logger
  /** Aborts the restore. */
  readonly signal: AbortSignal
}

/**
 * Restores a backup into an empty data directory, which stays empty unless the backup is complete, all checksums match and PostgreSQL starts on it.
 * Resolves to the manifest.
 * @throws BackupError if the folder is not empty, the backup is damaged, or its version is incompatible; the signal's reason
 */
export async function restore({ file, dataDir, log, signal }: RestoreOptions): Promise<Manifest> {
  const root = resolve(dataDir)
  const source = resolve(file)
  const zip = await openPromise(source, { autoClose: false }).catch((cause: Error) => {
    throw notWhole(source, cause.message, cause)
  })
  try {
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
    const manifest = await readManifest(zip, entries, source)
    const refusal = refusalOf(manifest, { parley: parleyVersion, postgres: await embeddedPostgresVersion() })
    if (refusal !== undefined) throw new BackupError(`${source} cannot be restored here: ${refusal}`)
    const draft = await makeDraft(root)
    try {
      await claimDraft(draft)
      for (const path of entries.keys()) if (path.endsWith('/')) await makeFolder(draft, path)
      for (const [path, sum] of Object.entries(manifest.files)) {
        const read = entries.get(path)
        if (read === undefined) throw notWhole(source, `${path} is missing`)
        const found = await extract(zip, read, join(draft, path), signal).catch((cause: Error) => {
          signal.throwIfAborted()
          // A fault of this machine, such as a full disk.
          if ('syscall' in cause) throw cause
          throw notWhole(source, `${path}: ${cause.message}`, cause)
        })
        if (found !== sum) throw notWhole(source, `the checksum of ${path} does not match`)
      }
      await proveDatabase(join(draft, parts.postgres), log).catch((cause: Error) => {
        throw new BackupError(`${source} was not restored: ${cause.message}`, { cause })
      })
      signal.throwIfAborted()
      // The database comes last, because a data directory with a database can be started.
      for (const part of [parts.authSecrets, parts.chatSecrets, parts.inbox, parts.postgres]) {
        await rename(join(draft, part), join(root, part))
      }
    } finally {
      await rm(draft, { recursive: true, force: true, maxRetries: 5 })
    }
    return manifest
  } finally {
    zip.close()
  }
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>, source: string): Promise<Manifest> {
  const entry = entries.get(manifestPath)
  if (entry === undefined) throw notWhole(source, `${manifestPath} is missing`)
  const read = await json(await zip.openReadStreamPromise(entry)).catch((cause: Error) => {
    throw notWhole(source, `${manifestPath}: ${cause.message}`, cause)
  })
  const parsed = manifestSchema.safeParse(read)
  if (!parsed.success) throw new BackupError(`${source} has a format unknown to this Parley (${parleyVersion})`)
  return parsed.data
}

/** Resolves to the checksum of the extracted file. */
async function extract(zip: ZipFile, entry: Entry, target: string, signal: AbortSignal): Promise<string> {
  await mkdir(dirname(target), { recursive: true, mode: own.folder })
  const hash = createHash('sha256')
  const content = await zip.openReadStreamPromise(entry)
  await pipeline(content, hashing(hash), createWriteStream(target, { mode: own.file, flags: 'wx' }), { signal })
  return hash.digest('hex')
}

const makeFolder = (draft: string, path: string) => mkdir(join(draft, path), { recursive: true, mode: own.folder })

/** Starts PostgreSQL once to replay the write-ahead log of the backup, so that a faulty database is detected before it is moved into place. */
async function proveDatabase(dataDir: string, log: Logger): Promise<void> {
  await adoptEmbeddedPostgres(dataDir)
  const postgres = await openEmbeddedPostgres({ dataDir, log })
  await postgres.close()
}

const notWhole = (source: string, reason: string, cause?: Error): BackupError =>
  new BackupError(`${source} is not a complete backup of Parley (${reason}): nothing was restored`, { cause })
