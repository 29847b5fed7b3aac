import { chmod, mkdtemp, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chatRoutes, type StartEvent, streamEnd } from '@parley/contracts'
import { freePort, newId } from '@parley/kit'
import {
  type AllInOneProcess,
  type ApiCaller,
  apiClient,
  type FakeProvider,
  openAllInOneProcess,
  readEvents,
  startFakeProvider,
  startServiceProcess,
} from '@parley/testing'
import pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

const password = 'a long first password'
/** A first start creates the database, possibly on a busy machine. */
const startMs = 120_000

let folder: string
let parley: AllInOneProcess
let provider: FakeProvider
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-restart-'))
  provider = await startFakeProvider()
  parley = await openAllInOneProcess(folder, {
    ADMIN_PASSWORD: password,
    DEEPSEEK_API_KEY: 'none',
    DEEPSEEK_BASE_URL: provider.openaiUrl,
  })
  await (await parley.start()).ready(startMs)
})
afterEach(async () => {
  await parley.close()
  await provider.close()
})

async function signIn(): Promise<ApiCaller> {
  const client = apiClient(parley.url)
  const { body } = await client.post('/api/auth/login', { identifier: 'admin', password })
  return client.with({ authorization: `Bearer ${(body as { token: string }).token}` })
}

const send = (api: ApiCaller, chatId?: string) =>
  api.stream(chatRoutes.send, {
    body: { message: 'hi', model: 'v3', clientMessageId: newId(), ...(chatId !== undefined && { chatId }) },
  })

it('Parley restarted after a kill ends a running answer at once: the chat accepts a message although the lease has not expired', async () => {
  provider.reply({ chunks: ['once ', 'never'], hang: { after: 1 } })
  const api = await signIn()
  const answer = await send(api)
  expect(answer.status).toBe(200)
  let chatId: string | undefined
  for await (const { data } of readEvents(answer)) {
    chatId ??= (JSON.parse(data) as StartEvent).chatId
    if (data.includes('once')) break
  }
  parley.process.signal('SIGKILL')
  await parley.process.exit
  // The lease is in the database, and would block the chat for this long.
  const database = new pg.Client({ connectionString: await parley.postgresUrl() })
  database.on('error', () => undefined)
  await database.connect()
  const { rowCount } = await database.query(
    "update chat.messages set lease_until = now() + interval '1 hour' where status = 'generating'",
  )
  expect(rowCount).toBe(1)
  await database.end()
  await (await parley.start()).ready(startMs)
  const again = await signIn()
  await expect.poll(async () => (await send(again, chatId)).status).toBe(200)
})

it('Parley suspended during an answer until its lease has expired continues the answer to its end', async () => {
  // They arrive while it is suspended, and for some seconds afterwards, when its sweeper runs.
  const chunks = Array.from({ length: 400 }, (_, nth) => `${nth} `)
  provider.reply({ chunks, delayMs: 50 })
  const events: string[] = []
  const reading = (async () => {
    for await (const { data } of readEvents(await send(await signIn()))) events.push(data)
  })()
  const database = new pg.Client({ connectionString: await parley.postgresUrl() })
  await database.connect()
  const count = async (which: string) =>
    (await database.query(`select from chat.messages where status = 'generating' and ${which}`)).rowCount
  await expect.poll(() => events.length).toBeGreaterThan(5)
  parley.process.signal('SIGSTOP')
  await expect.poll(() => count('lease_until < now()'), { interval: 200 }).toBe(1)
  parley.process.signal('SIGCONT')
  await reading
  await database.end()
  const parsed = events.slice(0, -1).map((data) => JSON.parse(data) as { text?: string; done?: true })
  expect(parsed.map(({ text }) => text ?? '').join('')).toBe(chunks.join(''))
  expect([parsed.at(-1)?.done, events.at(-1)]).toEqual([true, streamEnd])
})

it('a second Parley on the same data directory exits with 1 and names the first one, which keeps running', async () => {
  const ports = { PORT: String(await freePort()), INBOX_PORT: String(await freePort()) }
  const second = await startServiceProcess('all-in-one', { ...ports, DATA_DIR: folder })
  expect([await second.exit, second.output()]).toEqual([
    1,
    expect.stringMatching(/^\S+postgres is in use by another Parley \(process \d+\): stop it first\n$/),
  ])
  const api = await signIn()
  expect((await api.get('/api/chat/history')).status).toBe(200)
  const database = new pg.Client({ connectionString: await parley.postgresUrl() })
  await database.connect()
  await database.end()
})

it('Parley started on a data directory readable by other users restricts it, logs that, and serves', async () => {
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o066
  parley.process.signal('SIGKILL')
  await parley.process.exit
  const secret = join(folder, 'auth-secrets')
  await chmod(folder, 0o755)
  await chmod(secret, 0o644)
  const again = await parley.start()
  await again.ready(startMs)
  expect([await modeOf(folder), await modeOf(secret)]).toEqual([0, 0])
  for (const path of [folder, secret])
    expect(again.output()).toContain(`${path} was open to other users of this machine`)
  expect((await (await signIn()).get('/api/chat/history')).status).toBe(200)
})
