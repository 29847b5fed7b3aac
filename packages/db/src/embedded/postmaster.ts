import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, type Logger, openSocketFolder } from '@parley/kit'
import { onConnection } from '../on-connection.ts'
import type { Binaries } from './binaries.ts'
import { type Cluster, superuser } from './cluster.ts'
import { commandLine, hasEnded, isAlive } from './processes.ts'
import type { ServerUser } from './server-user.ts'

const maxLogBytes = 1_000_000
const startTimeoutMs = 120_000
const stopTimeoutMs = 30_000
const predecessorsTimeoutMs = 30_000
const predecessorsPauseMs = 100

export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly url: string
  /** The folder of its Unix socket, if it has one. */
  readonly socketFolder: string | undefined
  /** Resolves when it has ended, for whatever reason. */
  readonly exited: Promise<void>
}

/** Stops a server that a killed Parley left running on this cluster, and takes its number out of the file by which PostgreSQL would refuse to start. */
export async function stopOrphan(cluster: Cluster, log: Logger): Promise<void> {
  const pidFile = `${cluster.dir}/postmaster.pid`
  const pid = readPid(pidFile)
  if (pid === undefined) return
  if (isAlive(pid) && commandLine(pid).includes(cluster.dir)) {
    log.warn({ pid }, 'stopping the PostgreSQL that an earlier run left behind')
    await stopPostmaster(pid)
  }
  disown(pidFile)
}

/**
 * The number may be another process's by now, or still be that of a server that has ended and that nobody has reaped, as in a container: PostgreSQL
 * takes both for a running server. The rest of the file stays, since by it PostgreSQL sees whether connections of the dead server still write.
 */
function disown(pidFile: string): void {
  if (!existsSync(pidFile)) return
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
  // A server whose parent has this number knows that it does not mean another server.
  writeFileSync(pidFile, [process.pid, ...rest].join('\n'))
}

function readPid(file: string): number | undefined {
  if (!existsSync(file)) return undefined
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

/** How a server process is started; without a `port` it takes a free one. */
export interface PostmasterOptions {
  readonly cluster: Cluster
  readonly binaries: Binaries
  readonly user: ServerUser
  readonly port?: number | undefined
  readonly ephemeral: boolean
  readonly logFile: string
}

/**
 * Starts the server and waits until it answers, through recovery if need be.
 * @throws with the end of its log when it does not start
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const end = Date.now() + predecessorsTimeoutMs
  for (let left = 5; ; ) {
    const port = options.port ?? (await freePort())
    const logStart = makeRoomInLog(options.logFile)
    const socketFolder = openSocketFolder(options.cluster.dir, options.user.owner)
    const child = spawnPostgres(options, port, socketFolder)
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const password = encodeURIComponent(options.cluster.password)
    // As libpq means it: the parameter wins over the address, which is for programs that cannot reach the socket.
    const socket = socketFolder === undefined ? '' : `?host=${encodeURIComponent(socketFolder)}`
    const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres${socket}`
    if (child.pid !== undefined && (await answers(child, url)))
      return { pid: child.pid, port, url, socketFolder, exited }
    const output = readFileSync(options.logFile).subarray(logStart).toString()
    // Connections of a server that was killed end a little later than it.
    if (output.includes('pre-existing shared memory block') && Date.now() < end) {
      await delay(predecessorsPauseMs)
      continue
    }
    // Another process may have taken the free port before PostgreSQL could.
    const portTaken = options.port === undefined && output.includes('Address already in use')
    if (!portTaken || left === 0) throw new Error(`PostgreSQL did not start: ${output.slice(-2_000).trim()}`)
    left -= 1
  }
}

/** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    signalProcess(pid, signal)
    // One that was stopped in its tracks hears nothing else.
    signalProcess(pid, 'SIGCONT')
    if (await hasEnded(pid, stopTimeoutMs)) return
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`)
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function spawnPostgres(
  { cluster, binaries, user, ephemeral, logFile }: PostmasterOptions,
  port: number,
  socketFolder = '',
): ChildProcess {
  const address = { port: String(port), unix_socket_directories: socketFolder }
  const settings = { ...serverSettings, ...(ephemeral ? ephemeralSettings : {}), ...address }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, ids } = user.command(binaries.postgres, ['-D', cluster.dir, ...flags])
  const output = openSync(logFile, 'a', 0o600)
  try {
    // A group of its own: Ctrl-C in the terminal must not end it before we have finished with it.
    const child = spawn(file, args, { ...ids, detached: true, stdio: ['ignore', output, output], env: { LC_ALL: 'C' } })
    child.unref()
    // Reported by `answers`, since there is no pid then.
    child.on('error', () => undefined)
    return child
  } finally {
    closeSync(output)
  }
}

const serverSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  max_connections: '400',
  shared_buffers: '64MB',
  max_wal_size: '256MB',
  io_method: 'sync',
  autovacuum_max_workers: '2',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements may carry what people wrote, and refused duplicates are everyday answers.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}
const ephemeralSettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
}

async function answers(child: ChildProcess, url: string): Promise<boolean> {
  const end = Date.now() + startTimeoutMs
  while (isRunning(child) && Date.now() < end) {
    const connection = { connectionString: url, connectionTimeoutMillis: 2_000 }
    // Not listening yet, or still recovering: its exit would end the loop.
    if (await onConnection(connection, async () => true).catch(() => false)) return true
    await delay(30)
  }
  if (child.pid !== undefined && isRunning(child)) await stopPostmaster(child.pid)
  return false
}

/** Begins a long log anew. @returns where the next server's lines begin, in bytes */
function makeRoomInLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= maxLogBytes) return size
  truncateSync(file)
  return 0
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null
