import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '@parley/db/embedded'
import { createLogger } from '@parley/kit'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'

const log = createLogger('embedded-test', 'silent')
const eventually = { interval: 20 }

let folder: string
let dataDir: string
const opened: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-embedded-'))
  dataDir = join(folder, 'postgres')
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((postgres) => postgres.close()))
  for (const child of children.splice(0).filter(({ connected }) => connected)) {
    child.send('close')
    await once(child, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

async function open(options: { port?: number } = {}): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, log, ...options })
  opened.push(postgres)
  return postgres
}

/** Opens the server in another process. */
async function startProcess(): Promise<{ child: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('./embedded-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  children.push(child)
  const [url] = (await once(child, 'message')) as [string]
  return { child, url }
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

const postmasterPid = async (): Promise<number> =>
  Number.parseInt(await readFile(`${dataDir}/cluster/postmaster.pid`, 'utf8'), 10)

test('the embedded PostgreSQL keeps its data from one start to the next, and is stopped in between', async () => {
  const first = await open()
  await ask(first.url, 'create table kept (what text)')
  await ask(first.url, "insert into kept values ('ä')")
  await Promise.all([first.close(), first.close()])
  await expect(stat(new URL(first.url).searchParams.get('host') ?? '')).rejects.toThrow('ENOENT')
  await expect(ask(first.url, 'select 1')).rejects.toThrow()
  expect(await ask((await open()).url, 'select what from kept')).toEqual(['ä'])
})

test('the embedded PostgreSQL is durable, listens on loopback only and requires its password', async () => {
  const { url } = await open()
  const settings = "select setting from pg_settings where name in ('fsync','full_page_writes','synchronous_commit')"
  expect(await ask(url, settings)).toEqual(['on', 'on', 'on'])
  expect(await ask(url, 'show listen_addresses')).toEqual(['127.0.0.1'])
  // The socket's folder is closed to other users.
  expect(await ask(url, 'select inet_client_addr()')).toEqual([null])
  expect((await stat(new URL(url).searchParams.get('host') ?? '')).mode & 0o777).toBe(0o700)
  expect(await ask(url.replace(/\?.*/, ''), 'select host(inet_client_addr())')).toEqual(['127.0.0.1'])
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('one data directory serves one process', async () => {
  const first = await open()
  await expect(open()).rejects.toThrow(/in use by another Parley \(process \d+\)/)
  await first.close()
  const { child } = await startProcess()
  await expect(open()).rejects.toThrow(`in use by another Parley (process ${child.pid})`)
})

test('a server left behind by a killed process is stopped, and nothing committed is lost', async () => {
  const { child, url } = await startProcess()
  await ask(url, 'create table kept as select 42 as answer')
  const orphan = await postmasterPid()
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await ask(url, 'select answer from kept')).toEqual([42])
  const next = await open()
  expect(await postmasterPid()).not.toBe(orphan)
  await expect.poll(() => isRunning(orphan), eventually).toBe(false)
  expect(await ask(next.url, 'select answer from kept')).toEqual([42])
})

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the embedded PostgreSQL is not ended by signals to the process and its group, but by closing', async () => {
  const { child, url } = await startProcess()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(-(child.pid ?? 0), signal)
  expect(await ask(url, 'select 1')).toEqual([1])
  child.send('close')
  await once(child, 'exit')
  await expect(ask(url, 'select 1')).rejects.toThrow()
})

test('the embedded PostgreSQL restarts at its address when it exits by itself', async () => {
  const { url } = await open()
  await ask(url, 'create table kept as select 42 as answer')
  const pid = await postmasterPid()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => ask(url, 'select answer from kept').catch(() => []), eventually).toEqual([42])
  expect(await postmasterPid()).not.toBe(pid)
})

test('the embedded PostgreSQL can be closed while it restarts', async () => {
  const first = await open()
  const killed = await postmasterPid()
  process.kill(killed, 'SIGKILL')
  // The new server writes its pid file long before it answers.
  await expect.poll(() => postmasterPid().catch(() => killed), eventually).not.toBe(killed)
  await first.close()
  await expect(ask(first.url, 'select 1')).rejects.toThrow()
  expect(await ask((await open()).url, 'select 1')).toEqual([1])
})

test('the embedded PostgreSQL starts despite a pid file whose pid belongs to another process now', async () => {
  const first = await open()
  await first.close()
  await writeFile(`${dataDir}/cluster/postmaster.pid`, `${process.pid}\n${dataDir}/cluster\n1\n1\n\n\n`)
  expect(await ask((await open()).url, 'select 1')).toEqual([1])
})

test('the embedded PostgreSQL starts despite a pid file whose pid is a zombie process', async () => {
  const first = await open()
  await first.close()
  // The parent execs another program that never reaps the child.
  const parent = spawn('sh', ['-c', `sleep 600 & exec sh -c 'echo "$0"; exec sleep 600' $!`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  // Wait for the exec, since the shell would still reap the child.
  if (process.platform === 'linux') {
    await expect.poll(() => readFile(`/proc/${parent.pid}/comm`, 'utf8'), eventually).toBe('sleep\n')
  }
  process.kill(Number(line), 'SIGKILL')
  await writeFile(`${dataDir}/cluster/postmaster.pid`, `${Number(line)}\n${dataDir}/cluster\n1\n1\n\n\n`)
  try {
    expect(isRunning(Number(line))).toBe(true)
    expect(await ask((await open()).url, 'select 1')).toEqual([1])
  } finally {
    parent.kill('SIGKILL')
  }
})

test('a server killed together with its process is replaced once its last connection has ended', async () => {
  const { child, url } = await startProcess()
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const connection = Number(rows[0]?.pid)
  process.kill(connection, 'SIGSTOP')
  process.kill(await postmasterPid(), 'SIGKILL')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const opening = open()
  try {
    const said = () => readFile(`${dataDir}/postgres.log`, 'utf8')
    await expect.poll(said, eventually).toContain('pre-existing shared memory block')
  } finally {
    process.kill(connection, 'SIGCONT')
  }
  expect(await ask((await opening).url, 'select 1')).toEqual([1])
  await client.end()
})

test('a suspended server left behind by a killed process is stopped, too', async () => {
  const { child } = await startProcess()
  const orphan = await postmasterPid()
  process.kill(orphan, 'SIGSTOP')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await ask((await open()).url, 'select 1')).toEqual([1])
})

test('an interrupted first start leaves no partial data directory', async () => {
  await mkdir(join(dataDir, 'cluster.0123abcd', 'base'), { recursive: true })
  await writeFile(join(dataDir, 'superuser-password'), 'never used')
  await writeFile(join(dataDir, 'parley.lock'), JSON.stringify({ pid: process.ppid, identity: 'another start' }))
  expect(await ask((await open()).url, 'select 1')).toEqual([1])
  expect(await readdir(dataDir)).not.toContain('cluster.0123abcd')
})

test.each([
  ['only its owner', 0o700],
  ['anybody', 0o755],
])('the embedded PostgreSQL works below a folder that %s may enter', async (_who, mode) => {
  await chmod(folder, mode)
  expect(await ask((await open()).url, 'select 1')).toEqual([1])
})

test.each([
  ['no log', ''],
  ['a log that is begun anew', 'long '.repeat(250_000)],
  ['a log that is not ASCII', 'ä'.repeat(400_000)],
])(
  'the embedded PostgreSQL with %s reports why it does not start, and can be started afterwards',
  async (_what, logged) => {
    const other = await open()
    const taken = Number(new URL(other.url).port)
    dataDir = join(folder, 'second')
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'postgres.log'), logged)
    await expect(open({ port: taken })).rejects.toThrow('Address already in use')
    expect(await ask((await open()).url, 'select 1')).toEqual([1])
  },
)

test('the embedded PostgreSQL names the missing password file', async () => {
  const first = await open()
  await first.close()
  await rm(`${dataDir}/superuser-password`)
  await expect(open()).rejects.toThrow(`${dataDir}/superuser-password`)
})
