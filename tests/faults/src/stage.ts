import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignInAnswer } from '@parley/contracts'
import { type Split, startSplit } from '@parley/split'
import { type ApiCaller, apiClient } from '@parley/testing'
import {
  type NativeEngine,
  startNativeKafka,
  startNativeMongo,
  startNativePostgres,
  startNativeRedis,
} from '@parley/testing/engines'
import pg from 'pg'
import { type Eavesdropper, eavesdrop } from './eavesdropper.ts'
import { type EndlessProvider, startEndlessProvider } from './provider.ts'

/** Engines of this stage alone, which tests may hurt. */
export interface StageEngines {
  readonly kafka: NativeEngine
  readonly mongo: NativeEngine
  readonly postgres: NativeEngine
  readonly redis: NativeEngine
}

/** A whole split system with two replicas of everything, on engines of its own, with an endless provider behind it. */
export interface Stage {
  readonly engines: StageEngines
  readonly split: Split
  readonly provider: EndlessProvider
  readonly admin: ApiCaller
  /** Users with credits for everything a test does, each signed in. */
  readonly users: readonly { readonly id: string; readonly api: ApiCaller; readonly token: string }[]
  /** What is heard on the bus, from the start on. */
  readonly bus: Eavesdropper
  /** Rows of the system's PostgreSQL, as its superuser. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const userCount = 5
/** Appears in nothing that the system says or stores in the clear. */
export const canary = 'canary-key-of-the-provider'
const password = 'correct horse battery'

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
    engines: { kafka: kafka.url, mongo: mongo.url, postgres: postgres.url, redis: redis.url },
    replicas: 2,
    provider: provider.openaiUrl,
    // Answers go on until a test ends them: who drains has time for that on a busy machine too.
    environment: { DEEPSEEK_API_KEY: canary, STOP_GRACE_SECONDS: '240' },
  })
  const client = apiClient(split.url)
  const signIn = async (identifier: string, secret: string) => {
    const { body, text } = await client.post('/api/auth/login', { identifier, password: secret })
    const { token } = body as { token?: string }
    if (token === undefined) throw new Error(`${identifier} cannot sign in: ${text}`)
    return client.with({ authorization: `Bearer ${token}` })
  }
  const admin = await signIn(split.admin.username, split.admin.password)
  await settle(admin)
  const users = await Promise.all(Array.from({ length: userCount }, (_, nth) => openUser(client, admin, nth)))
  const bus = await eavesdrop(kafka.url, split.topicPrefix)
  const pool = new pg.Pool({ connectionString: split.postgresUrl, max: 2 })
  // A test kills PostgreSQL under it.
  pool.on('error', () => undefined)
  return {
    ...{ engines, split, provider, admin, users, bus },
    query: async (text, values) => (await pool.query(text, values)).rows,
    async close() {
      await Promise.all([client.close(), pool.end(), bus.close()])
      await split.stop()
      await split.dispose()
      await Promise.all([...Object.values(engines).map((engine) => engine.close()), provider.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Takes limits and verification out of the way: they are not what is tested. */
async function settle(admin: ApiCaller): Promise<void> {
  const { status, text } = await admin.patch('/api/admin/settings', {
    rateLimits: { web: { windowMinutes: 1, maxRequests: 1_000_000 } },
    emailVerificationRequired: false,
  })
  if (status !== 200) throw new Error(`settings: ${text}`)
}

async function openUser(client: ReturnType<typeof apiClient>, admin: ApiCaller, nth: number) {
  const username = `person-${nth}`
  const { body, text } = await client.post('/api/auth/register', {
    ...{ username, email: `${username}@parley.test`, password },
  })
  const { token, user } = body as Extract<SignInAnswer, { emailVerificationRequired: false }>
  if (token === undefined) throw new Error(`register: ${text}`)
  const granted = await admin.post(`/api/admin/users/${user._id}/credits`, { amount: 1_000_000 })
  if (granted.status >= 300) throw new Error(`credits: ${granted.text}`)
  return { id: user._id, token, api: client.with({ authorization: `Bearer ${token}` }) }
}
