import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from '@parley/contracts'
import { migrate, onceInInbox, openPgOutbox, openPostgres, writeEvents } from '@parley/db'
import { type InboxHarness, inboxContract, type OutboxHarness, outboxContract } from '@parley/db/contract'
import { type OutboxFields, openMongo, openMongoOutbox } from '@parley/db/mongo'
import { createLogger, newId } from '@parley/kit'
import { type Generated, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../src/engines/postgres.ts'
import { onEngine, testMongoUrl } from '../src/engines/test-engines.ts'
import { openMongoOutboxHarness } from './mongo-outbox.ts'
import { byTcp, settingsInEffect, vanishedMachine } from './vanished-machine.ts'

const log = createLogger('db-contract', 'silent')
const schema = 'shop'

/** An empty folder of migrations. */
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
})
afterAll(() => rm(dir, { recursive: true }))

interface Tables {
  effects: { nth: Generated<number>; what: string }
}

async function openShop() {
  const database = await testDatabase()
  await migrate({ url: database.url, schema, dir, log })
  const postgres = openPostgres<Tables>({ url: database.url, schema, log })
  await sql`create table effects (nth bigserial, what text not null)`.execute(postgres.db)
  const close = async (): Promise<void> => {
    await postgres.close()
    await database.drop()
  }
  return { url: database.url, db: postgres.db, close }
}

async function openPgOutboxHarness(): Promise<OutboxHarness> {
  const { url, db, close } = await openShop()
  const ends: (() => Promise<void>)[] = []
  const write: OutboxHarness['write'] = (events) => db.transaction().execute((tx) => writeEvents(tx, events))
  return {
    async openReplica() {
      const outbox = openPgOutbox({ url, schema, log })
      ends.push(() => outbox.close())
      return outbox
    },
    write,
    async writeAndFail(events) {
      const failing = db.transaction().execute(async (tx) => {
        await writeEvents(tx, events)
        throw new Error('refused')
      })
      await failing.catch(() => undefined)
    },
    async close() {
      await Promise.all(ends.map((end) => end()))
      await close()
    },
  }
}

const outboxEngines = [
  { name: 'PostgreSQL', needs: 'postgres', open: openPgOutboxHarness },
  { name: 'MongoDB', needs: 'mongo', open: openMongoOutboxHarness },
] as const

/** None on MongoDB: the event handlers of services with MongoDB are all idempotent. */
const inboxEngines: Readonly<Record<string, () => Promise<InboxHarness>>> = {
  async PostgreSQL() {
    const { db, close } = await openShop()
    return {
      once: (group, eventId, what, fail = false) =>
        onceInInbox(db, group, eventId, async (tx) => {
          await tx.insertInto('effects').values({ what }).execute()
          if (fail) throw new Error('failed')
        }),
      async effects() {
        const rows = await db.selectFrom('effects').select('what').orderBy('nth').execute()
        return rows.map(({ what }) => what)
      },
      async age(days) {
        await sql`update inbox set at = at - make_interval(days => ${days})`.execute(db)
      },
      async notes() {
        const { rows } = await sql<{ count: number }>`select count(*) as count from inbox`.execute(db)
        return rows[0]?.count ?? 0
      },
      close,
    }
  },
}

test('a relay whose connection to PostgreSQL was lost reads and forgets nothing more, as another one may have its right by then', async () => {
  const { url, db, close } = await openShop()
  const outbox = openPgOutbox({ url, schema, log })
  const event: Event = {
    ...{ type: 'auth.user-banned', id: newId(), at: new Date().toISOString(), v: 1, key: 'key' },
    data: { userId: 'one' },
  }
  await db.transaction().execute((tx) => writeEvents(tx, [event]))
  const working = outbox.exclusively(async () => {
    await outbox.pending(1)
    await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = ${`${schema} outbox`}`.execute(
      db,
    )
    await outbox.published([event.id])
  })
  await expect(working).rejects.toThrow()
  expect(await outbox.pending(1)).toMatchObject([event])
  expect(await outbox.exclusively(() => outbox.published([event.id]))).toBe(true)
  expect(await outbox.pending(1)).toEqual([])
  await outbox.close()
  await close()
})

test('the server drops the connection of a relay whose machine has vanished within 5 s, also with notifications under way', async () => {
  const { url, db, close } = await openShop()
  // What the relay reads is told by its own connection then.
  await sql`alter table outbox rename to written`.execute(db)
  await sql`create view outbox as select 1 as position, ${sql.raw(settingsInEffect)} as event`.execute(db)
  const outbox = openPgOutbox({ url: byTcp(url), schema, log })
  expect(await outbox.pending(1)).toEqual([vanishedMachine])
  await outbox.close()
  await close()
})

onEngine('mongo', () => {
  test.each([1, 2])('a relay that dies at write %i to MongoDB leaves no empty outbox', async (fatal) => {
    const database = openMongo({ url: testMongoUrl(), log })
    const things = await database.collection<OutboxFields & { _id: string }>('things')
    const entry = (id: string) => ({ id, event: '{}' })
    const outboxAt = await database.now()
    const given = { alone: ['1'], two: ['2', '3'], more: ['4', 'later'] }
    await things.insertMany(Object.entries(given).map(([_id, ids]) => ({ _id, outbox: ids.map(entry), outboxAt })))
    let writes = 0
    const dying = {
      find: things.find.bind(things),
      async updateMany(...change: Parameters<typeof things.updateMany>) {
        writes += 1
        if (writes === fatal) throw new Error('the relay died')
        return await things.updateMany(...change)
      },
    }
    const source = { time: database.time, collection: async () => dying as never }
    const published = ['1', '2', '3', '4']
    await expect(openMongoOutbox(source, 'things').published(published)).rejects.toThrow('the relay died')
    const empty = { outboxAt: { $exists: true }, 'outbox.0': { $exists: false } }
    expect(await things.countDocuments(empty)).toBe(0)
    await openMongoOutbox(database, 'things').published(published)
    const left = await things.find({ outboxAt: { $exists: true } }).toArray()
    expect(left).toEqual([{ _id: 'more', outbox: [entry('later')], outboxAt }])
    expect(await things.countDocuments({ outbox: { $exists: true } })).toBe(1)
    await database.connection.dropDatabase()
    await database.close()
  })
})

for (const { name, needs, open } of outboxEngines) onEngine(needs, () => outboxContract(name, open))
for (const [engine, open] of Object.entries(inboxEngines)) inboxContract(engine, open)
