import { randomBytes } from 'node:crypto'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'

/** A file or an empty folder of a backup, by its path with `/` as separator; read it before asking for the next one. */
export type BackupEntry =
  | { readonly path: string; readonly isFolder: true }
  | { readonly path: string; readonly isFolder: false; readonly content: Readable }

/** Folders whose files belong to a running server; PostgreSQL's manual names them. The log comes last, and by itself. */
const withoutFiles = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//
const ofOneRun =
  /(^|\/)(postmaster\.(pid|opts)|current_logfiles|backup_label\.old|pgsql_tmp[^/]*|pg_internal\.init[^/]*)$/
const logSegment = /^[0-9A-F]{24}$/

/**
 * A consistent copy of a running cluster, of every database in it, while it is written to: its files, then the log by which a server that is started on
 * them repeats what happened meanwhile. Leaving the iteration ends the backup.
 * @param url of the running server, as its superuser
 * @param dir its data folder
 * @throws when the server ends meanwhile or its files cannot be read
 */
export async function* baseBackup(url: string, dir: string): AsyncGenerator<BackupEntry> {
  const client = new pg.Client({ connectionString: url, application_name: 'backup' })
  // Reported by the next query.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const one = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0]
    const name = `backup_${randomBytes(6).toString('hex')}`
    // Until the connection ends, no log is removed that the copy needs.
    await one('select pg_create_physical_replication_slot($1, true, true)', [name])
    const start = await one('select pg_walfile_name(pg_backup_start($1, true)) as segment', [name])
    yield* filesOf(dir)
    const stop = await one('select labelfile as label, pg_walfile_name(lsn) as segment from pg_backup_stop(false)')
    for (const segment of (await readdir(join(dir, 'pg_wal'))).sort()) {
      if (!logSegment.test(segment) || segment < start.segment || segment > stop.segment) continue
      yield* fileOf(dir, `pg_wal/${segment}`)
    }
    yield { path: 'backup_label', isFolder: false, content: Readable.from([Buffer.from(stop.label)]) }
  } finally {
    await client.end()
  }
}

async function* filesOf(dir: string): AsyncGenerator<BackupEntry> {
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (withoutFiles.test(path) || ofOneRun.test(path)) continue
    if (entry.isDirectory()) yield { path, isFolder: true }
    else yield* fileOf(dir, path)
  }
}

/** Nothing when the file was removed meanwhile: the write-ahead log accounts for it. */
async function* fileOf(dir: string, path: string): AsyncGenerator<BackupEntry> {
  let file: FileHandle
  try {
    file = await open(join(dir, path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  yield { path, isFolder: false, content: file.createReadStream() }
}
