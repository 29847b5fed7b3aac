import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemoryHub } from '@parley/cache'
import type { SettingsPatch, User } from '@parley/contracts'
import { type Logger, newId, systemClock } from '@parley/kit'
import {
  type ApiAnswer,
  type ApiCaller,
  type ApiClient,
  apiClient,
  type FakeProvider,
  startFakeProvider,
  testDatabase,
  testLog,
  waitUntil,
} from '@parley/testing'
import { testPool } from '@parley/testing/postgres'
import pg from 'pg'
import { composeParley, type Parley } from '../src/compose.ts'
import { readAllInOneConfig } from '../src/config.ts'
import { startInbox } from '../src/inbox/inbox.ts'
import { withDemo } from '../src/providers.ts'

export const adminPassword = 'a long first password'
export const providerKey = 'key-of-the-fake-provider'
export const userPassword = 'correct horse battery'

/** A signed-in user. */
export interface Person {
  readonly api: ApiCaller
  readonly token: string
  readonly user: User
}

/** Replicas of a whole system on the same engines, and fakes of the third parties. */
export interface World {
  readonly provider: FakeProvider
  readonly replicas: readonly Parley[]
  readonly databaseUrl: string
  /** An anonymous client of a replica; the first by default. */
  at(replica?: number): ApiClient
  admin(): Promise<Person>
  /** Registers and verifies with the code from the inbox. */
  register(username?: string): Promise<Person & { readonly cookie: string }>
  /** Registers without verifying: returns the mailed code and the browser's cookies. */
  awaitingCode(username: string): Promise<{ code: string; cookie: string }>
  /** The same user at another replica. */
  elsewhere(person: Person, replica: number): ApiCaller
  mailTo(address: string): Promise<string>
  settings(patch: SettingsPatch): Promise<void>
  /** Rows of the world's database. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** The configuration of a system with a fake of DeepSeek, if any, and by default without a mail server. */
export const testConfig = (provider?: FakeProvider, variables: Readonly<Record<string, string>> = {}) => {
  const config = readAllInOneConfig({
    PORT: '0',
    ADMIN_PASSWORD: adminPassword,
    // The origin of the test clients.
    EXTRA_ORIGINS: 'http://127.0.0.1',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ...(provider && { DEEPSEEK_API_KEY: providerKey, DEEPSEEK_BASE_URL: provider.openaiUrl }),
    ...variables,
  })
  return {
    ...(provider ? withDemo(config, provider.url) : config),
    AUTH_SECRETS: ['a secret of at least thirty-two characters'],
    CHAT_SECRETS: ['another secret of at least thirty-two characters'],
    PUBLIC_URL: 'http://parley.test',
  }
}

/** Retries when a busy machine could not answer in time. */
export async function steadily<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  let answer = await ask()
  for (let again = 0; answer.status === 503 && again < 20; again += 1) answer = await ask()
  return answer
}

/** What an earlier version left: its database, as SQL, and the secret that all its services shared. */
export interface FormerData {
  readonly sql: string
  readonly secret: string
}

/** Boots real systems with an inbox and a fake of DeepSeek. @param log by default one that prints internal errors only */
export async function openWorld(replicaCount = 1, log: Logger = testLog, former?: FormerData): Promise<World> {
  const [database, provider, folder] = await Promise.all([
    testDatabase(),
    startFakeProvider(),
    mkdtemp(join(tmpdir(), 'inbox-')),
  ])
  if (former !== undefined) await load(database.url, former.sql)
  const formerSecrets = former === undefined ? [] : [former.secret]
  const hub = openMemoryHub({ log })
  const inbox = await startInbox({ folder, port: 0, log, now: systemClock, newId })
  const { AUTH_SECRETS, CHAT_SECRETS, ...config } = testConfig(provider, { SMTP_URL: inbox.smtpUrl })
  const compose = async (): Promise<Parley> =>
    composeParley({
      config: {
        ...config,
        AUTH_SECRETS: [...AUTH_SECRETS, ...formerSecrets],
        CHAT_SECRETS: [...CHAT_SECRETS, ...formerSecrets],
      },
      engines: { postgresUrl: database.url, hub },
      // As `npm start` runs it.
      socketFolder: await mkdtemp(join(folder, 'sockets-')),
      log,
    })
  const replicas: Parley[] = []
  for (let count = 0; count < replicaCount; count += 1) replicas.push(await compose())
  const clients = replicas.map((replica) => apiClient(replica.url))
  const pool = testPool({ connectionString: database.url, max: 2 })
  // As with `unlimited`: a limit out of reach of tests of other things.
  await pool.query('update billing.plans set requests_per_window = 1000000')
  const at = (replica = 0): ApiClient => clients[replica] as ApiClient
  const person = ({ token, user }: { token: string; user: User }): Person => ({
    token,
    user,
    api: at().with({ authorization: `Bearer ${token}` }),
  })
  const inboxApi = apiClient(inbox.url)
  const mailTo = (address: string): Promise<string> =>
    waitUntil(async () => {
      const { body } = await inboxApi.get(`/messages?to=${encodeURIComponent(address)}`)
      return (body as { text: string }[])[0]?.text
    }, `mail to ${address}`)
  const awaitingCode = async (username: string): Promise<{ code: string; cookie: string }> => {
    const email = `${username}@parley.test`
    const registered = await at().post('/api/auth/register', { username, email, password: userPassword })
    if (registered.status !== 201) throw new Error(`register: ${registered.text}`)
    return { code: /\b\d{6}\b/.exec(await mailTo(email))?.[0] ?? '', cookie: cookieOf(registered) }
  }
  const admin = async (): Promise<Person> => {
    const { body } = await at().post('/api/auth/login', { identifier: 'admin', password: adminPassword })
    return person(body as { token: string; user: User })
  }
  return {
    provider,
    replicas,
    databaseUrl: database.url,
    at,
    admin,
    mailTo,
    async register(username = `user-${newId().slice(0, 12)}`) {
      const { code, cookie } = await awaitingCode(username)
      const verified = await at().post('/api/auth/verify-email', { username, code }, { headers: { cookie } })
      if (verified.status !== 200) throw new Error(`verify: ${verified.text}`)
      return { ...person(verified.body as { token: string; user: User }), cookie: cookieOf(verified) }
    },
    awaitingCode,
    elsewhere: ({ token }, replica) => at(replica).with({ authorization: `Bearer ${token}` }),
    async settings(patch) {
      const { status, text } = await (await admin()).api.patch('/api/admin/settings', patch)
      if (status !== 200) throw new Error(`settings: ${text}`)
    },
    query: async (text, values) => (await pool.query(text, values)).rows,
    async close() {
      await Promise.all([...clients.map((client) => client.close()), inboxApi.close(), pool.end()])
      for (const replica of replicas) await replica.stop()
      await Promise.all([inbox.close(), provider.close(), hub.close(), rm(folder, { recursive: true })])
      await database.drop()
    },
  }
}

/** The SQL sets variables of its session. */
async function load(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** The cookies of an answer as a browser sends them back. */
export const cookieOf = ({ headers }: ApiAnswer): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

/** A limit out of reach, for tests of other things. */
export const unlimited: SettingsPatch = { rateLimits: { web: { windowMinutes: 1, maxRequests: 1_000_000 } } }
