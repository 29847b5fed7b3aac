import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import type { ServerUser } from './server-user.ts'

/** A PostgreSQL data folder that is ready to be started. */
export interface Cluster {
  readonly dir: string
  readonly password: string
}
/** The contents of `dataDir`, which outlive the server. */
export const parts = { cluster: 'cluster', password: 'superuser-password' }
/** The name of the only role. */
export const superuser = 'parley'

/** Opens the cluster in `dataDir`, making it first when there is none. A crash on the way leaves nothing half made. */
export async function openCluster(
  dataDir: string,
  binaries: Binaries,
  user: ServerUser,
  ephemeral: boolean,
): Promise<Cluster> {
  const dir = `${dataDir}/${parts.cluster}`
  const passwordFile = `${dataDir}/${parts.password}`
  if (existsSync(dir)) return { dir, password: await readPassword(passwordFile) }
  for (const name of await readdir(dataDir)) {
    if (name.startsWith('cluster.')) await rm(`${dataDir}/${name}`, { recursive: true, force: true, maxRetries: 5 })
  }
  const password = randomBytes(24).toString('base64url')
  await writeDurably(passwordFile, password, user)
  const draft = `${dataDir}/cluster.${randomBytes(6).toString('hex')}`
  await mkdir(draft, { mode: 0o700 })
  if (user.owner !== undefined) await chown(draft, user.owner.uid, user.owner.gid)
  await initialise(binaries, user, [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(ephemeral ? ['--no-sync'] : []),
  ])
  await rename(draft, dir)
  await syncFolder(dataDir)
  return { dir, password }
}

async function readPassword(file: string): Promise<string> {
  const password = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The database's password is not in ${file}: restore that file`, { cause })
  })
  return password.trim()
}

async function writeDurably(path: string, content: string, user: ServerUser): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(content)
    if (user.owner !== undefined) await file.chown(user.owner.uid, user.owner.gid)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function initialise(binaries: Binaries, user: ServerUser, flags: readonly string[]): Promise<void> {
  const { file, args, ids } = user.command(binaries.initdb, flags)
  try {
    await promisify(execFile)(file, args, { ...ids, env: { LC_ALL: 'C' } })
  } catch (error) {
    const { stderr = String(error) } = error as { stderr?: string }
    throw new Error(`PostgreSQL's data folder could not be made: ${stderr.trim().slice(-4_000)}`, { cause: error })
  }
}
