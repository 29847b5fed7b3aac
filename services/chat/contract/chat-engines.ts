import { openPostgres } from '@parley/db'
import { openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { testMongoUrl } from '@parley/testing/test-engines'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { ChatStores } from '../src/store/index.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import { type ChatEngine, searchMemory } from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')

/** An engine that a test file has for itself. */
interface OpenedEngine extends ChatEngine {
  /** Removes every document; what the migrations made stays. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** An engine that is opened once for the test file, since migrations take longer than most tests, and cleared after each test. */
export function givenChatEngine(open: () => Promise<OpenedEngine>): ChatEngine {
  let opened: OpenedEngine | undefined
  const engine = (): OpenedEngine => {
    if (opened === undefined) throw new Error('The engine is opened before the first test')
    return opened
  }
  beforeAll(async () => {
    opened = await open()
  })
  afterEach(() => engine().clear())
  afterAll(() => opened?.close())
  return {
    get stores() {
      return engine().stores
    },
    get replica() {
      return engine().replica
    },
  }
}

/** The stores on PostgreSQL. */
export async function openPgEngine(): Promise<OpenedEngine> {
  const database = await testDatabase()
  const twice = await openTwice(() => openPgChatStores({ url: database.url, log, searchMemory }))
  const { pool, close } = openPostgres({ url: database.url, schema: 'chat', log, max: 1 })
  const { rows } = await pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'chat' and tablename not like '%migrations'`,
  )
  // The totals last, as they count what goes.
  const tables = rows
    .map(({ name }) => name)
    .sort((one, other) => Number(one === 'owner_usage') - Number(other === 'owner_usage'))
  const emptying = tables.map((name) => `delete from ${name}`).join(';')
  return {
    ...twice,
    clear: async () => void (await pool.query(emptying)),
    async close() {
      await Promise.all([twice.close(), close()])
      await database.drop()
    },
  }
}

/** The stores on MongoDB. */
export async function openMongoEngine(): Promise<OpenedEngine> {
  const url = testMongoUrl()
  const twice = await openTwice(() => openMongoChatStores({ url, log, searchMemory }))
  const database = openMongo({ url, log })
  const { db } = await database.connection.asPromise()
  const all = (await db?.collections()) ?? []
  const collections = all.filter(({ collectionName }) => collectionName !== 'migrations')
  return {
    ...twice,
    clear: async () => void (await Promise.all(collections.map((collection) => collection.deleteMany({})))),
    async close() {
      await twice.close()
      await database.connection.dropDatabase()
      await database.close()
    },
  }
}

async function openTwice(open: () => ChatStores): Promise<Omit<OpenedEngine, 'clear'>> {
  const [stores, replica] = [open(), open()]
  await stores.migrate()
  return { stores, replica, close: async () => void (await Promise.all([stores.close(), replica.close()])) }
}

/** Removes a database of MongoDB with all that is in it. */
export async function dropMongo(url: string): Promise<void> {
  const database = openMongo({ url, log })
  await database.connection.dropDatabase()
  await database.close()
}
