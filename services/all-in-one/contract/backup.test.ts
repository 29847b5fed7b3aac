import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { newId } from '@parley/kit'
import {
  type AllInOneProcess,
  type ApiCaller,
  apiClient,
  collect,
  type FakeProvider,
  openAllInOneProcess,
  readEvents,
  startFakeProvider,
  untilPasses,
  waitUntil,
} from '@parley/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPromise } from 'yauzl'
import yazl from 'yazl'
import { manifestPath, manifestSchema } from '../src/backup/manifest.ts'
import { allServices } from '../src/services.ts'
import { postgresIn } from './postgres-in.ts'

const adminPassword = 'a long first password'
const userPassword = 'correct horse battery'
/** A first start creates the database, possibly on a busy machine. */
const startMs = 120_000
const secretFiles = ['auth-secrets', 'chat-secrets']

interface Ended {
  readonly code: number
  readonly output: string
}

type Program = 'backup' | 'doctor' | 'restore'

/** Runs an operator's command on a data directory. */
const run = (program: Program, dataDir: string, ...args: string[]): Promise<Ended> =>
  start(program, dataDir, ...args).ended

function start(program: Program, dataDir: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`../src/${program}/main.ts`, import.meta.url))
  const { promise: ended, resolve } = Promise.withResolvers<Ended>()
  const child = execFile(process.execPath, [path, ...args], { env: { DATA_DIR: dataDir } }, (error, stdout, stderr) =>
    resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
  )
  return { ended, interrupt: () => child.kill('SIGINT') }
}

describe('a backup of Parley in one process', () => {
  let folder: string
  let provider: FakeProvider
  let source: AllInOneProcess
  let restored: AllInOneProcess
  let file: string
  let person: { token: string; chatId: string; shareId: string; key: string; remaining: number }
  /** Texts of messages answered before the backup began. */
  const answered: string[] = []

  const inFolder = (name: string): string => join(folder, name)
  const parleyIn = (name: string): Promise<AllInOneProcess> =>
    openAllInOneProcess(inFolder(name), {
      ADMIN_PASSWORD: adminPassword,
      EXTRA_ORIGINS: 'http://127.0.0.1',
      DEEPSEEK_API_KEY: 'none',
      DEEPSEEK_BASE_URL: provider.openaiUrl,
    })
  const signIn = async ({ url }: AllInOneProcess, identifier: string, password: string): Promise<ApiCaller> => {
    const client = apiClient(url)
    const { status, body, text } = await client.post('/api/auth/login', { identifier, password })
    expect(status, text).toBe(200)
    return client.with({ authorization: `Bearer ${(body as { token: string }).token}` })
  }
  const ask = async (api: ApiCaller, message: string, chatId?: string): Promise<string> => {
    const body = { message, model: 'v3', clientMessageId: newId(), ...(chatId !== undefined && { chatId }) }
    const [start] = await collect(readEvents(await api.open('POST', '/api/chat', { body })))
    return (JSON.parse(start?.data ?? '{}') as { chatId: string }).chatId
  }
  const remainingOf = async (api: ApiCaller) =>
    ((await api.get('/api/user/credits')).body as { remaining: number }).remaining

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-backup-'))
    provider = await startFakeProvider()
    source = await parleyIn('source')
    restored = await parleyIn('restored')
    await (await source.start()).ready(startMs)
    const admin = await signIn(source, 'admin', adminPassword)
    const unlimited = { windowMinutes: 1, maxRequests: 1_000_000 }
    const settings = { emailVerificationRequired: false, rateLimits: { web: unlimited, apiV1: unlimited } }
    expect((await admin.patch('/api/admin/settings', settings)).status).toBe(200)
    const account = { username: 'first-user', email: 'first@parley.test', password: userPassword }
    const { body } = await apiClient(source.url).post('/api/auth/register', account)
    const { token } = body as { token: string }
    const api = apiClient(source.url).with({ authorization: `Bearer ${token}` })
    const chatId = await ask(api, 'first')
    answered.push('first')
    const shared = (await api.post('/api/share', { chatId })).body as { id: string }
    const { secret: key } = (await api.post('/api/user/keys', { label: 'Test' })).body as { secret: string }
    await untilPasses(async () => expect((await api.get('/api/user/credits')).body).toMatchObject({ held: 0 }))
    person = { token, chatId, shareId: shared.id, key, remaining: await remainingOf(api) }
    // Keep writing, so that files change while they are read.
    file = inFolder('parley.zip')
    await writeFile(inFolder('source/inbox/kept.json'), '"a mail"')
    for (const name of secretFiles) await appendFile(inFolder(`source/${name}`), `,${'former-secret-'.repeat(3)}`)
    let isRunning = true
    const chatting = (async () => {
      for (let count = 0; isRunning; count += 1) await ask(admin, `meanwhile ${count}`)
    })()
    const { code, output } = await run('backup', inFolder('source'), file)
    isRunning = false
    await chatting
    expect([code, output]).toEqual([0, expect.stringContaining('including its secrets')])
    expect(await run('restore', inFolder('restored'), file)).toMatchObject({ code: 0 })
    // A start would restrict them.
    for (const name of secretFiles) expect((await stat(inFolder(`restored/${name}`))).mode & 0o077, name).toBe(0)
    // The restored system must not depend on the source.
    source.process.signal('SIGKILL')
    await (await restored.start()).ready(startMs)
  })
  afterAll(async () => {
    await Promise.all([source, restored].map((parley) => parley.close()))
    await provider.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('is not readable by other users of the machine', async () => {
    expect((await stat(file)).mode & 0o077).toBe(0)
  })

  it('has the secrets of the services, former ones included, with which data may still be sealed', async () => {
    for (const name of secretFiles)
      expect(await readFile(inFolder(`restored/${name}`), 'utf8')).toBe(
        await readFile(inFolder(`source/${name}`), 'utf8'),
      )
  })

  it('has the mails of the inbox, and its folder even without any', async () => {
    expect(await readFile(inFolder('restored/inbox/kept.json'), 'utf8')).toBe('"a mail"')
    const zip = await openPromise(file)
    expect((await Array.fromAsync(zip.eachEntry())).map(({ fileName }) => fileName)).toContain('inbox/')
  })

  it('lets a user sign in with the old password and continue the old session', async () => {
    await signIn(restored, 'first-user', userPassword)
    const old = apiClient(restored.url).with({ authorization: `Bearer ${person.token}` })
    expect((await old.get('/api/user/profile')).status).toBe(200)
  })

  it('restores the chats, the balance, the share link and the API key', async () => {
    const api = await signIn(restored, 'first-user', userPassword)
    const chat = await api.get(`/api/chat/history/${person.chatId}`)
    for (const text of answered) expect(chat.text).toContain(text)
    expect(await remainingOf(api)).toBe(person.remaining)
    const link = await apiClient(restored.url).get(`/api/share/${person.shareId}`)
    expect(link).toMatchObject({ status: 200, body: { messages: [{ content: 'first' }, { role: 'assistant' }] } })
    const program = apiClient(restored.url).with({ authorization: `Bearer ${person.key}` })
    expect((await program.get('/api/v1/models')).status).toBe(200)
  })

  it('lets a program keep using its API key, and a user continue a chat', async () => {
    const api = await signIn(restored, 'first-user', userPassword)
    const program = apiClient(restored.url).with({ authorization: `Bearer ${person.key}` })
    const body = { model: 'v3', messages: [{ role: 'user', content: 'Hello' }] }
    const { status, text } = await program.post('/api/v1/chat/completions', body)
    expect(status, text).toBe(200)
    expect(await ask(api, 'second', person.chatId)).toBe(person.chatId)
  })

  it('has a consistent ledger although it was taken while answers were charged', async () => {
    const database = new pg.Client({ connectionString: await restored.postgresUrl() })
    await database.connect()
    const rows = async (text: string) => (await database.query(text)).rows
    try {
      await expect.poll(() => rows("select user_id from billing.holds where state = 'held'")).toEqual([])
      expect(
        await rows(`select a.user_id from billing.accounts a
          left join (select user_id, sum(delta) as total, min(balance_after) as least from billing.ledger group by user_id) l using (user_id)
          where a.monthly + a.granted <> coalesce(l.total, 0) or l.least < 0`),
      ).toEqual([])
      expect(
        await rows(`select generation_id from billing.ledger where kind = 'capture'
          group by generation_id having count(*) > 1`),
      ).toEqual([])
      expect(await rows('select from billing.ledger')).not.toEqual([])
    } finally {
      await database.end()
    }
  })

  it('passes npm run doctor, which finds every schema up to date while Parley is running', async () => {
    const { code, output } = await run('doctor', inFolder('restored'))
    for (const { name } of allServices.filter(({ engines }) => engines.stores !== undefined))
      expect(output).toContain(`ok    ${name}: the schema matches this version`)
    expect(code).toBe(0)
  })

  it('is not restored over existing data', async () => {
    const { code, output } = await run('restore', inFolder('restored'), file)
    expect([code, output]).toEqual([1, expect.stringContaining('is not empty')])
  })

  it('is not written over an existing file', async () => {
    const { code, output } = await run('backup', inFolder('restored'), file)
    expect([code, output]).toEqual([1, expect.stringContaining('exists: name a new file')])
  })

  it.each([
    ['truncated to half its size', async (path: string) => truncate(path, Math.floor((await stat(path)).size / 2))],
    ['overwritten in the middle', overwriteMiddle],
    ['that is another kind of file', (path: string) => writeFile(path, 'notes of a meeting')],
  ])('%s is refused and leaves the folder empty', async (_what, damage) => {
    const damaged = inFolder('damaged.zip')
    await copyFile(file, damaged)
    await damage(damaged)
    const target = inFolder('target')
    await mkdir(target, { recursive: true })
    const { code, output } = await run('restore', target, damaged)
    expect([code, output]).toEqual([1, expect.stringContaining('is not a complete backup of Parley')])
    expect(await readdir(target)).toEqual([])
  })

  it('whose checksums are right, but on which PostgreSQL does not start, is refused and leaves the folder empty', async () => {
    const damaged = inFolder('damaged.zip')
    await copyWith(file, damaged, 'postgres/cluster/global/pg_control', (content) => content.fill(0, 0, 64))
    const target = inFolder('target')
    const { code, output } = await run('restore', target, damaged)
    const refusal = `${damaged} was not restored: PostgreSQL did not start: `
    expect([code, output]).toEqual([1, expect.stringMatching(RegExp(`^${refusal}`))])
    expect([await readdir(target), postgresIn(target)]).toEqual([[], []])
  })

  it.each([
    ['while files are extracted', '.restoring/auth-secrets'],
    ['while PostgreSQL runs on them', '.restoring/postgres/cluster/postmaster.pid'],
  ])('whose restore is interrupted %s leaves the folder empty and no PostgreSQL', async (_when, sign) => {
    const target = inFolder('target')
    const { ended, interrupt } = start('restore', target, file)
    await waitUntil(() => existsSync(join(target, sign)), sign)
    interrupt()
    expect(await ended).toEqual({ code: 130, output: '' })
    expect([await readdir(target), postgresIn(target)]).toEqual([[], []])
  })

  it('that is interrupted leaves no file and no PostgreSQL', async () => {
    const partial = inFolder('interrupted.zip')
    // The backup is to start one of its own.
    process.kill((await source.postmaster()) ?? 0, 'SIGQUIT')
    await waitUntil(() => postgresIn(inFolder('source')).length === 0, 'the end of PostgreSQL')
    const { ended, interrupt } = start('backup', inFolder('source'), partial)
    await waitUntil(() => existsSync(`${partial}.part`), 'its file')
    interrupt()
    expect(await ended).toMatchObject({ code: 130 })
    expect([existsSync(partial), existsSync(`${partial}.part`), postgresIn(inFolder('source'))]).toEqual([
      false,
      false,
      [],
    ])
  })

  it('of a folder without data is refused', async () => {
    const { code, output } = await run('backup', inFolder('target'), inFolder('nothing.zip'))
    expect([code, output]).toEqual([1, expect.stringContaining('contains no Parley data')])
  })
})

async function overwriteMiddle(path: string): Promise<void> {
  const damaged = await open(path, 'r+')
  try {
    const place = Math.floor((await damaged.stat()).size / 2)
    await damaged.write(Buffer.alloc(4_096), 0, 4_096, place)
  } finally {
    await damaged.close()
  }
}

/** Copies a backup with one file changed, and its checksum with it. */
async function copyWith(file: string, copy: string, path: string, change: (content: Buffer) => Buffer): Promise<void> {
  const source = await openPromise(file, { autoClose: false })
  const zip = new yazl.ZipFile()
  let sum = ''
  const withSum = (manifest: Buffer) => {
    const read = manifestSchema.parse(JSON.parse(manifest.toString()))
    return { ...read, files: { ...read.files, [path]: sum } }
  }
  try {
    for await (const entry of source.eachEntry()) {
      const { fileName } = entry
      if (fileName.endsWith('/')) {
        zip.addEmptyDirectory(fileName)
        continue
      }
      const content = await buffer(await source.openReadStreamPromise(entry))
      if (fileName === path) sum = createHash('sha256').update(change(content)).digest('hex')
      // The last entry.
      if (fileName !== manifestPath) zip.addBuffer(content, fileName)
      else zip.addBuffer(Buffer.from(JSON.stringify(withSum(content))), fileName)
    }
  } finally {
    source.close()
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(copy))
}
