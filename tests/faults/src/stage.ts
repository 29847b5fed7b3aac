import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMongo } from '@parley/db/mongo'
import { startNativeKafka, startNativeMongo, startNativePostgres, startNativeRedis } from '@parley/engines'
import { createLogger } from '@parley/kit'
import { startSplit } from '@parley/split'
import { type LoadUser, openLoadUsers, waitUntil } from '@parley/testing'
import { testPool } from '@parley/testing/postgres'
import type pg from 'pg'
import { eavesdrop } from './eavesdropper.ts'
import { startEndlessProvider } from './provider.ts'

/** A whole split system with two replicas of each service, on its own engines, with an endless provider. */
export type Stage = Awaited<ReturnType<typeof openStage>>

const userCount = 5
/** A secret that must not appear in any response, log or stored text. */
export const canary = 'canary-key-of-the-provider'
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
export async function openStage() {
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
  const people = await openLoadUsers(split.url, split.admin.password, userCount)
  const { users } = people
  const bus = await eavesdrop(kafka.url, split.topicPrefix)
  const pool = testPool({ connectionString: split.postgresUrl, max: 2 })
  return {
    /** Used by this stage alone, so that tests may break them. */
    engines,
    split,
    provider,
    /** Users with credits for all tests. */
    users,
    /** Consumes the bus from the start on. */
    bus,
    /** Signs all users in again, once the system allows it: tokens expire during a long run. */
    signIn: async (): Promise<void> => void (await Promise.all(users.map(signIn))),
    /** Removes the chats so far; call it while nobody chats. The stand-in for MongoDB answers most questions by a look at every message. */
    removeChats: (): Promise<void> => removeChats(`${mongo.url}${new URL(split.postgresUrl).pathname}`),
    /** Queries the system's PostgreSQL as its superuser. */
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> =>
      (await pool.query(text, values)).rows,
    async close(): Promise<void> {
      await Promise.all([people.close(), pool.end(), bus.close()])
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

/** Retries while the system recovers. */
async function signIn(user: LoadUser): Promise<void> {
  let refusal = ''
  const attempt = (): Promise<boolean> =>
    user.signIn().then(
      () => true,
      (error: unknown) => {
        refusal = String(error)
        return false
      },
    )
  await waitUntil(attempt, `the sign-in of ${user.username}`, patienceMs, 500).catch((error: Error) => {
    throw new Error(`${error.message}: ${refusal}`)
  })
}
