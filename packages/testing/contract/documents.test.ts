import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openPgOutbox, openPostgres } from '@parley/db'
import { migrateMongo, openMongo, openMongoOutbox } from '@parley/db/mongo'
import { createPgDocuments, preparePgDocuments } from '@parley/documents'
import { type DocumentsHarness, documentsContract, things } from '@parley/documents/contract'
import { createMongoDocuments, mongoDocumentsStep } from '@parley/documents/mongo'
import { createLogger } from '@parley/kit'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { expect, it } from 'vitest'
import { testDatabase, testPool } from '../src/engines/postgres.ts'
import { onEngine, testMongoUrl } from '../src/engines/test-engines.ts'
import { type FaultProxy, startFaultProxy } from '../src/processes/fault-proxy.ts'

const log = createLogger('documents-contract', 'silent')
const schema = 'shop'

/** A connection to an engine that can be cut. */
async function severed(url: string) {
  const { hostname, port } = new URL(url)
  const proxy: FaultProxy = await startFaultProxy({ host: hostname, port: Number(port) })
  const cut = (): number => {
    proxy.cutNow()
    return proxy.observed
  }
  return { through: proxy.through(url), cut, close: () => proxy.close() }
}

async function openPgHarness(): Promise<DocumentsHarness> {
  const { url, drop } = await testDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  const outbox = openPgOutbox({ url, schema, log })
  const ends: (() => Promise<unknown>)[] = []
  const open = (at: string) => {
    const { db, close } = openPostgres({ url: at, schema, log })
    ends.unshift(close)
    return db
  }
  return {
    async openReplica() {
      await migrate({ url, schema, dir, log })
      const db = open(url)
      await preparePgDocuments({ url, schema, log }, [things])
      return createPgDocuments(db, things)
    },
    async openSeverable() {
      const { through, cut, close } = await severed(url)
      ends.push(close)
      return { documents: createPgDocuments(open(through), things), cut }
    },
    pending: () => outbox.pending(1_000),
    async close() {
      await outbox.close()
      for (const end of ends) await end()
      await Promise.all([drop(), rm(dir, { recursive: true })])
    },
  }
}

async function openMongoHarness(): Promise<DocumentsHarness> {
  const url = testMongoUrl()
  const steps = [mongoDocumentsStep('0001_things', [things])]
  const ends: (() => Promise<unknown>)[] = []
  const open = (at: string) => {
    const database = openMongo({ url: at, log })
    ends.unshift(() => database.close())
    return { database, outbox: openMongoOutbox(database, things.name) }
  }
  const own = open(url)
  return {
    async openReplica() {
      await migrateMongo({ url, steps, log })
      const { database, outbox } = open(url)
      return createMongoDocuments(database, things, outbox)
    },
    async openSeverable() {
      const { through, cut, close } = await severed(url)
      ends.push(close)
      const direct = new URL(through)
      // Otherwise the driver connects to the address that the server advertises.
      direct.searchParams.set('directConnection', 'true')
      const { database, outbox } = open(direct.href)
      return { documents: createMongoDocuments(database, things, outbox), cut }
    },
    pending: () => own.outbox.pending(1_000),
    async close() {
      await own.database.connection.dropDatabase()
      for (const end of ends) await end()
    },
  }
}

onEngine('postgres', () => {
  documentsContract('PostgreSQL', openPgHarness)

  it('documents on PostgreSQL are found and removed by the named index, in its order', async () => {
    const { url, drop } = await testDatabase()
    const asked: CompiledQuery[] = []
    const pool = testPool({ connectionString: url, options: '-c enable_seqscan=off -c enable_bitmapscan=off' })
    const db = new Kysely({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void asked.push(query) })
    await preparePgDocuments({ url, schema: 'public', log }, [things])
    const documents = createPgDocuments(db, things)
    const range = { equal: ['ann'], before: new Date() }
    asked.splice(0)
    await documents.find('by_owner', range, { limit: 3, descending: true })
    await documents.removeWhere('by_owner', range, 3)
    for (const query of asked.slice(0, 2)) {
      const { rows } = await pool.query(`explain ${query.sql}`, [...query.parameters])
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('using things_by_owner')
      expect(plan).not.toContain('Sort')
    }
    await db.destroy()
    await drop()
  })
})

onEngine('mongo', () => {
  documentsContract('MongoDB', openMongoHarness)

  it('a document on MongoDB whose events are published is removed, although a crash left its empty outbox', async () => {
    const url = testMongoUrl()
    await migrateMongo({ url, steps: [mongoDocumentsStep('0001_things', [things])], log })
    const database = openMongo({ url, log })
    const outbox = openMongoOutbox(database, things.name)
    const documents = createMongoDocuments(database, things, outbox)
    const made = { owner: 'ann', at: new Date(), parts: [], holder: null }
    await documents.insertOnce(['left', 'waiting'].map((id) => ({ ...made, id })))
    const stored = await database.collection<{ _id: string }>(things.name)
    const outboxAt = await database.now()
    await stored.updateOne({ _id: 'left' }, { $set: { outbox: [], outboxAt } })
    await stored.updateOne({ _id: 'waiting' }, { $set: { outbox: [{ id: 'event', event: '{}' }], outboxAt } })
    expect(await documents.removeWhere('by_owner', { equal: ['ann'] }, 10)).toBe(1)
    expect(await stored.distinct('_id')).toEqual(['waiting'])
    await outbox.close()
    await database.connection.dropDatabase()
    await database.close()
  })
})
