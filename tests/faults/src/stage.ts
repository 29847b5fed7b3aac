import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignInAnswer } from '@parley/contracts'
import { openMongo } from '@parley/db/mongo'
import {
  type NativeEngine,
  startNativeKafka,
  startNativeMongo,
  startNativePostgres,
  startNativeRedis,
} from '@parley/engines'
import { createLogger } from '@parley/kit'
import { type Split, startSplit } from '@parley/split'
import { type ApiCaller, type ApiClient, apiClient, waitUntil } from '@parley/testing'
import { testPool } from '@parley/testing/postgres'
import type pg from 'pg'
import { type Eavesdropper, eavesdrop } from './eavesdropper.ts'
import { type EndlessProvider, startEndlessProvider } from './provider.ts'

/** Engines used by this stage alone, so that tests may break them. */
export interface StageEngines {
  readonly kafka: NativeEngine
  readonly mongo: NativeEngine
  readonly postgres: NativeEngine
  readonly redis: NativeEngine
}

/** A whole split system with two replicas of each service, on its own engines, with an endless provider. */
export interface Stage {
  readonly engines: StageEngines
  readonly split: Split
  readonly provider: EndlessProvider
  /** Users with credits for all tests. */
  readonly users: readonly StageUser[]
  /** Signs all users in again, once the system allows it: tokens expire during a long run. */
  signIn(): Promise<void>
  /** Consumes the bus from the start on. */
  readonly bus: Eavesdropper
  /** Removes the chats so far; call it while nobody chats. The stand-in for MongoDB answers most questions by a look at every message. */
  removeChats(): Promise<void>
  /** Queries the system's PostgreSQL as its superuser. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/** A signed-in user; `api` and `token` are replaced by each sign-in. */
export interface StageUser {
  readonly id: string
  readonly api: ApiCaller
  readonly token: string
  signIn(): Promise<void>
}

const userCount = 5
/** A secret that must not appear in any response, log or stored text. */
export const canary = 'canary-key-of-the-provider'
const password = 'correct horse battery'
/** Longer than any successful call takes, even on a busy machine. */
const patienceMs = 60_000

/** A server without CPU time, but alive, may take this long to accept a connection. */
const patienceSeconds = 20
const patient = ({ mongo, postgres }: { readonly mongo: string; readonly postgres: string }) => ({
  mongo: `${mongo}/?connectTimeoutMS=${patienceSeconds * 1_000}&waitQueueTimeoutMS=${patienceSeconds * 1_000}`,
  postgres: withParameter(postgres, 'connect_timeout', String(patienceSeconds)),
})

function withParameter(engineUrl: string, name: string, value: string): string {
  const url = new URL(engineUrl)
  url.searchParams.set(name, value)
  return url.href
}

/** Starts everything; takes about half a minute. */
export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-faults-'))
  const place = (name: string) => ({ folder: join(folder, name) })
  const [kafka, mongo, postgres, redis, provider] = await Promise.all([
    startNativeKafka(place('kafka')),
    startNativeMongo(place('mongo')),
    startNativePostgres(place('postgres')),
    startNativeRedis(place('redis')),
    startEndlessProvider(),
  ])
  const engines = { kafka, mongo, postgres, redis }
  const split = await startSplit({
    engines: { kafka: kafka.url, redis: redis.url, ...patient({ mongo: mongo.url, postgres: postgres.url }) },
    replicas: 2,
    provider: provider.openaiUrl,
    // Answers run until a test ends them, so draining replicas need a long grace period.
    environment: { DEEPSEEK_API_KEY: canary, STOP_GRACE_SECONDS: '240' },
  })
  const client = apiClient(split.url)
  const { username, password: secret } = split.admin
  const { token } = await signIn(client, username, secret)
  const admin = client.with(bearer(token))
  await settle(admin)
  const users = await Promise.all(Array.from({ length: userCount }, (_, nth) => openUser(client, admin, nth)))
  const bus = await eavesdrop(kafka.url, split.topicPrefix)
  const pool = testPool({ connectionString: split.postgresUrl, max: 2 })
  return {
    ...{ engines, split, provider, users, bus },
    signIn: async () => void (await Promise.all(users.map((user) => user.signIn()))),
    removeChats: () => removeChats(`${mongo.url}${new URL(split.postgresUrl).pathname}`),
    query: async (text, values) => (await pool.query(text, values)).rows,
    async close() {
      await Promise.all([client.close(), pool.end(), bus.close()])
      await split.stop()
      await Promise.all([...Object.values(engines).map((engine) => engine.close()), provider.close()])
      // The system's data are removed together with the engines.
      for (const path of [folder, split.dataDir]) await rm(path, { recursive: true, force: true })
    },
  }
}

/** Those with events that are not published yet stay. @param url of chat's database, which has the same name as PostgreSQL's */
async function removeChats(url: string): Promise<void> {
  const database = openMongo({ url, log: createLogger('faults', 'silent') })
  try {
    for (const name of ['messages', 'chats', 'search_segments', 'sends']) {
      const documents = await database.collection(name)
      await documents.deleteMany({ 'outbox.0': { $exists: false } })
    }
  } finally {
    await database.close()
  }
}

/** Lifts limits, also those of the plan, and turns verification off: they are not under test. */
async function settle(admin: ApiCaller): Promise<void> {
  const { status, text } = await admin.patch('/api/admin/settings', {
    rateLimits: {
      web: { windowMinutes: 1, maxRequests: 1_000_000 },
      apiV1: { windowMinutes: 1, maxRequests: 1_000_000 },
    },
    storage: { maxBytesPerUser: 0, maxChatsPerUser: 0 },
    emailVerificationRequired: false,
  })
  if (status !== 200) throw new Error(`settings: ${text}`)
  const plan = await admin.patch('/api/admin/plans/free', { requestsPerWindow: 1_000_000 })
  if (plan.status !== 200) throw new Error(`plan: ${plan.text}`)
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

type SignedIn = Extract<SignInAnswer, { emailVerificationRequired: false }>

/** Retries while the system recovers. */
async function signIn(client: ApiClient, identifier: string, secret: string): Promise<SignedIn> {
  let refusal = ''
  const attempt = async (): Promise<SignedIn | undefined> => {
    try {
      const { status, body, text } = await client.post('/api/auth/login', { identifier, password: secret })
      refusal = text
      return status === 200 ? (body as SignedIn) : undefined
    } catch (error) {
      refusal = String(error)
      return undefined
    }
  }
  return await waitUntil(attempt, `the sign-in of ${identifier}`, patienceMs, 500).catch((error: Error) => {
    throw new Error(`${error.message}: ${refusal}`)
  })
}

async function openUser(client: ApiClient, admin: ApiCaller, nth: number): Promise<StageUser> {
  const username = `person-${nth}`
  const { body, text } = await client.post('/api/auth/register', {
    ...{ username, email: `${username}@parley.test`, password },
  })
  let { token, user } = body as SignedIn
  if (token === undefined) throw new Error(`register: ${text}`)
  const grant = async (): Promise<boolean> => {
    const { status } = await admin.post(`/api/admin/users/${user._id}/credits`, { amount: 1_000_000 })
    return status < 300
  }
  // Billing learns of the registration by an event, which may be slow on a busy machine.
  await waitUntil(grant, `the credits of ${username}`, patienceMs, 200)
  return {
    id: user._id,
    api: client.with(() => bearer(token)),
    get token() {
      return token
    },
    async signIn() {
      token = (await signIn(client, username, password)).token
    },
  }
}
