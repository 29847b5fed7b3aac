import { spawnSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { chmod, chown, mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Logger, onceOnly } from '@parley/kit'
import { type BackupEntry, baseBackup } from './embedded/base-backup.ts'
import { findBinaries } from './embedded/binaries.ts'
import { openCluster, parts } from './embedded/cluster.ts'
import { claimDataDir } from './embedded/data-lock.ts'
import { type Postmaster, startPostmaster, stopOrphan, stopPostmaster } from './embedded/postmaster.ts'
import { chooseServerUser } from './embedded/server-user.ts'
import { superviseServer } from './embedded/supervise.ts'

export type { BackupEntry } from './embedded/base-backup.ts'

export interface EmbeddedPostgresOptions {
  /** Folder that is PostgreSQL's alone; made when it is missing. */
  readonly dataDir: string
  /** On 127.0.0.1; a free one by default. */
  readonly port?: number
  readonly log: Logger
  /** Trades durability for speed; for tests only. */
  readonly ephemeral?: boolean
}

export type EmbeddedPostgres = Awaited<ReturnType<typeof openEmbeddedPostgres>>
/** One that is not restarted. */
export type BarePostgres = Awaited<ReturnType<typeof openBarePostgres>>

/**
 * A real PostgreSQL that needs no installation, in a process of its own that ends only by `close`: neither a signal to this process
 * nor Ctrl-C stops it, and it is restarted when it ends by itself. One that is left over from a killed run is stopped and started again.
 * @throws when another process uses `dataDir`, when this machine has no such PostgreSQL, or when it does not start
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions) {
  const { server, restart, release } = await start(options)
  const stop = superviseServer(server, restart, options.log)
  return {
    /** The URL of the database `postgres`, as its superuser. */
    url: server.url,
    /** Stops the server with everything committed on disk. Idempotent. */
    close: onceOnly(() => stop().finally(release)),
  }
}

/**
 * Like `openEmbeddedPostgres`, but not restarted when it ends, for callers that end it on purpose.
 * @throws like `openEmbeddedPostgres`
 */
export async function openBarePostgres(options: EmbeddedPostgresOptions) {
  const { server, release } = await start(options)
  const ended = server.exited.then(() => true)
  const stop = async (): Promise<void> => {
    // Its number may be another process's by now.
    if (!(await Promise.race([ended, Promise.resolve(false)]))) await stopPostmaster(server.pid)
  }
  return { ...server, close: onceOnly(() => stop().finally(release)) }
}

/**
 * Everything of a running server that a later one needs, consistent though it is written to meanwhile.
 * @param dataDir as it was opened with @param url of the running server
 */
export async function* backUpEmbeddedPostgres(dataDir: string, url: string): AsyncGenerator<BackupEntry> {
  const password = join(dataDir, parts.password)
  yield { path: parts.password, isFolder: false, content: createReadStream(password) }
  yield { path: parts.cluster, isFolder: true }
  for await (const entry of baseBackup(url, join(dataDir, parts.cluster))) {
    yield { ...entry, path: `${parts.cluster}/${entry.path}` }
  }
}

/** Makes what was restored into `dataDir` the server's own, as whom it is going to run. */
export async function adoptEmbeddedPostgres(dataDir: string): Promise<void> {
  const { owner } = await prepare(dataDir, (await findBinaries()).postgres)
  if (owner === undefined) return
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  }
}

/** The major version of the server that comes with this Parley, such as `18`: a data folder is of one major version. */
export async function embeddedPostgresVersion(): Promise<string> {
  const { postgres } = await findBinaries()
  const { stdout, error } = spawnSync(postgres, ['--version'], { encoding: 'utf8' })
  const version = /\d+/.exec(stdout ?? '')?.[0]
  if (version === undefined) throw new Error(`${postgres} does not say its version`, { cause: error })
  return version
}

/** Claims the folder and starts the server in it; `release` gives the folder up once the server has stopped. */
async function start(options: EmbeddedPostgresOptions) {
  const dataDir = resolve(options.dataDir)
  const ephemeral = options.ephemeral ?? false
  const binaries = await findBinaries()
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const release = claimDataDir(dataDir)
  try {
    const user = await prepare(dataDir, binaries.postgres)
    const cluster = await openCluster(dataDir, binaries, user, ephemeral)
    await stopOrphan(cluster, options.log)
    const settings = { cluster, binaries, user, ephemeral, logFile: `${dataDir}/postgres.log` }
    const server = await startPostmaster({ ...settings, port: options.port })
    const restart = () => startPostmaster({ ...settings, port: server.port })
    return { server, restart, release: () => removeSocket(server).then(release) }
  } catch (error) {
    release()
    throw error
  }
}

/** Its folder is below the one for temporary files, where nobody else would remove it. */
async function removeSocket({ socketFolder }: Postmaster): Promise<void> {
  if (socketFolder !== undefined) await rm(socketFolder, { recursive: true, force: true })
}

async function prepare(dataDir: string, postgres: string) {
  await chmod(dataDir, 0o700)
  const user = chooseServerUser([postgres, resolve(dataDir, '..')])
  if (user.owner !== undefined) await chown(dataDir, user.owner.uid, user.owner.gid)
  return user
}
