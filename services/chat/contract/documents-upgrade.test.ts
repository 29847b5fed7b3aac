import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '@parley/db'
import { isDuplicateKey, migrateMongo, openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testDatabase, testPool } from '@parley/testing/postgres'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatStores } from '../src/store/index.ts'
import { mongoMigrations } from '../src/store/mongo/migrations.ts'
import { openMongoChatStores } from '../src/store/mongo/open-stores.ts'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import { dropMongo } from './chat-engines.ts'
import { second } from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')
const limit = { messages: 10, windowMs: 100_000 }
const step = '0010_guest_documents'

/** What a replica of version 0.1.0 does to buckets and watchlists, with its statements. */
interface Version010 {
  /** Resolves to whether the message was granted. */
  take(bucket: string, generationId: string, now: Date): Promise<boolean>
  settle(bucket: string, generationId: string, kept: boolean): Promise<void>
  used(bucket: string): Promise<number | undefined>
  follow(ownerId: string, symbols: readonly string[]): Promise<void>
  followed(ownerId: string): Promise<readonly string[] | undefined>
}

/** A database that version 0.1.0 has written to. */
interface Upgrade {
  readonly old: Version010
  upgraded(): Promise<ChatStores>
  close(): Promise<void>
}

async function pgUpgrade(): Promise<Upgrade> {
  const database = await testDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'))
  const all = fileURLToPath(new URL('../migrations', import.meta.url))
  for (const name of await readdir(all)) if (name < step) await cp(join(all, name), join(dir, name))
  await migrate({ url: database.url, schema: 'chat', dir, log })
  const pool = testPool({ connectionString: database.url, options: '-c search_path=chat', max: 5 })
  const stores = openPgChatStores({ url: database.url, log })
  const over = 'guest_buckets.window_start <= $5::timestamptz'
  const taking = `
    insert into guest_buckets (bucket, window_start, used, pending)
    select $1, $2::timestamptz, 1, array[$3::text] where $4::integer > 0
    on conflict (bucket) do update set
      window_start = case when ${over} then excluded.window_start else guest_buckets.window_start end,
      used = case when ${over} then 1 else guest_buckets.used + 1 end,
      pending = case when ${over} then excluded.pending else guest_buckets.pending || excluded.pending end
    where ${over} or (guest_buckets.used < $4 and not guest_buckets.pending @> excluded.pending)
    returning used`
  return {
    old: {
      async take(bucket, generationId, now) {
        const ended = new Date(now.getTime() - limit.windowMs)
        const { rowCount } = await pool.query(taking, [bucket, now, generationId, limit.messages, ended])
        return rowCount === 1
      },
      async settle(bucket, generationId, kept) {
        const used = kept ? 'used' : 'used - 1'
        await pool.query(
          `update guest_buckets set used = ${used}, pending = array_remove(pending, $2) where bucket = $1 and $2 = any(pending)`,
          [bucket, generationId],
        )
      },
      async used(bucket) {
        return (await pool.query('select used from guest_buckets where bucket = $1', [bucket])).rows[0]?.used
      },
      async follow(ownerId, symbols) {
        const keeping = 'insert into watchlists (owner_id, symbols) values ($1, $2)'
        await pool.query(`${keeping} on conflict (owner_id) do update set symbols = $2`, [ownerId, symbols])
      },
      async followed(ownerId) {
        return (await pool.query('select symbols from watchlists where owner_id = $1', [ownerId])).rows[0]?.symbols
      },
    },
    async upgraded() {
      await stores.migrate()
      return stores
    },
    async close() {
      await Promise.all([pool.end(), stores.close()])
      await Promise.all([database.drop(), rm(dir, { recursive: true })])
    },
  }
}

interface OldBucket {
  readonly _id: string
  readonly windowStart: Date
  readonly used: number
  readonly pending: string[]
}

async function mongoUpgrade(): Promise<Upgrade> {
  const url = testMongoUrl()
  await migrateMongo({ url, steps: mongoMigrations.filter(({ name }) => name < step), log })
  const database = openMongo({ url, log })
  const stores = openMongoChatStores({ url, log })
  const buckets = await database.collection<OldBucket>('guest_buckets')
  const lists = await database.collection<{ _id: string; symbols: string[] }>('watchlists')
  const take: Version010['take'] = async (_id, generationId, now) => {
    const ended = new Date(now.getTime() - limit.windowMs)
    const free = { windowStart: { $gt: ended }, used: { $lt: limit.messages }, pending: { $ne: generationId } }
    const taken = { $inc: { used: 1 }, $push: { pending: generationId } }
    if ((await buckets.findOneAndUpdate({ _id, ...free }, taken)) !== null) return true
    const found = await buckets.findOne({ _id })
    if (found !== null && found.windowStart > ended) {
      return found.used < limit.messages ? await take(_id, generationId, now) : found.pending.includes(generationId)
    }
    const window = { windowStart: now, used: 1, pending: [generationId] }
    const begun =
      found === null
        ? buckets.insertOne({ _id, ...window }).catch((error: unknown) => {
            if (!isDuplicateKey(error)) throw error
          })
        : buckets.updateOne({ _id, windowStart: found.windowStart }, { $set: window })
    const result = await begun
    if (result && (!('matchedCount' in result) || result.matchedCount > 0)) return true
    return await take(_id, generationId, now)
  }
  return {
    old: {
      take,
      async settle(_id, generationId, kept) {
        const back = { $pull: { pending: generationId }, ...(!kept && { $inc: { used: -1 } }) }
        await buckets.updateOne({ _id, pending: generationId }, back)
      },
      used: async (_id) => (await buckets.findOne({ _id }))?.used,
      async follow(_id, symbols) {
        const set = async () => await lists.updateOne({ _id }, { $set: { symbols: [...symbols] } }, { upsert: true })
        await set().catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error
          return set()
        })
      },
      followed: async (_id) => (await lists.findOne({ _id }))?.symbols,
    },
    async upgraded() {
      await stores.migrate()
      return stores
    },
    async close() {
      await Promise.all([database.close(), stores.close()])
      await dropMongo(url)
    },
  }
}

function upgradeContract(engine: string, open: () => Promise<Upgrade>): void {
  describe(`data of version 0.1.0 on ${engine}`, () => {
    let upgrade: Upgrade
    let old: Version010
    let stores: ChatStores
    let guests: ChatStores['guests']
    const takenBefore = ['a', 'b', 'c']
    beforeAll(async () => {
      upgrade = await open()
      old = upgrade.old
      for (const bucket of ['kept', 'raced', 'ended', 'settled'])
        for (const id of takenBefore) await old.take(bucket, id, second(0))
      await old.follow('ada', ['MSFT', 'AAPL'])
      stores = await upgrade.upgraded()
      guests = stores.guests
    })
    afterAll(() => upgrade.close())

    it('guests’ allowances keep their counts, and version 0.1.0 sees what the new version added', async () => {
      expect(await guests.use('kept', limit.windowMs, second(1))).toEqual({ used: 3, resetAt: second(100) })
      expect(await guests.take('kept', 'a', limit, second(1))).toMatchObject({ granted: true, used: 3 })
      expect(await guests.take('kept', 'd', limit, second(1))).toMatchObject({ granted: true, used: 4 })
      await guests.settle('kept', 'a', false)
      expect(await old.used('kept')).toBe(3)
      await guests.purge(second(0))
      expect(await old.used('kept')).toBe(3)
    })

    it.each([
      ['a window of the version before', 'raced', 0, 7],
      ['a window that ended', 'ended', 200, 10],
      ['a bucket that is new', 'new', 0, 10],
    ])(
      'grants, in %s, no more messages than are left when replicas of both versions are asked at once',
      async (_what, bucket, at, left) => {
        const tries = Array.from({ length: 40 }, async (_none, nth) =>
          nth % 2
            ? await old.take(bucket, `g${nth}`, second(at))
            : (await guests.take(bucket, `g${nth}`, limit, second(at))).granted,
        )
        expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(left)
        expect(await old.used(bucket)).toBe(limit.messages)
        expect((await guests.use(bucket, limit.windowMs, second(at))).used).toBe(limit.messages)
      },
    )

    it('a guest’s message is returned to the allowance once, whichever version settles it', async () => {
      const of = (nth: number) => (nth % 2 ? old : guests)
      const takes = ['d', 'e', 'f', 'g'].map((id, nth) =>
        nth % 2 ? old.take('settled', id, second(1)) : guests.take('settled', id, limit, second(1)),
      )
      const settles = takenBefore.flatMap((id) => [0, 1].map((nth) => of(nth).settle('settled', id, false)))
      await Promise.all([...takes, ...settles])
      expect(await old.used('settled')).toBe(4)
      await Promise.all(['d', 'e', 'f'].flatMap((id) => [0, 1].map((nth) => of(nth).settle('settled', id, true))))
      await Promise.all([0, 1].map((nth) => of(nth).settle('settled', 'd', false)))
      expect((await guests.use('settled', limit.windowMs, second(1))).used).toBe(4)
    })

    it('watchlists are kept, each version reads what the other one wrote, and an erasure deletes them', async () => {
      const { watchlists, erasures } = stores
      expect(await watchlists.read('ada')).toEqual(['MSFT', 'AAPL'])
      await watchlists.replace('ada', ['C'])
      expect(await old.followed('ada')).toEqual(['C'])
      for (const owner of ['ada', 'bob']) {
        await old.follow(owner, ['D', 'B'])
        expect(await watchlists.read(owner)).toEqual(['D', 'B'])
      }
      const lists = [['E'], ['F', 'G'], ['H'], ['I', 'J']]
      const setting = lists.map((list, nth) => (nth % 2 ? old.follow('carl', list) : watchlists.replace('carl', list)))
      await Promise.all(setting)
      expect(lists).toContainEqual(await watchlists.read('carl'))
      expect(await old.followed('carl')).toEqual(await watchlists.read('carl'))
      await erasures.erase('ada')
      expect([await watchlists.read('ada'), await old.followed('ada')]).toEqual([[], undefined])
    })
  })
}

onEngine('postgres', () => upgradeContract('PostgreSQL', pgUpgrade))
onEngine('mongo', () => upgradeContract('MongoDB', mongoUpgrade))
