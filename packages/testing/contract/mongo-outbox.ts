import type { OutboxHarness } from '@parley/db/contract'
import { type OutboxFields, openMongo, openMongoOutbox, outboxEntries, outboxIndexes } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testMongoUrl } from '../src/engines/test-engines.ts'

const log = createLogger('db-contract', 'silent')
const name = 'things'

/** An empty outbox in the documents of a collection, one document per key. Its writer notifies all replicas, as a store notifies its own. */
export async function openMongoOutboxHarness(): Promise<OutboxHarness> {
  const url = testMongoUrl()
  const database = openMongo({ url, log })
  const replicas: { written(): void; close(): Promise<void> }[] = []
  const things = await database.collection<OutboxFields & { _id: string; taken?: string }>(name)
  await things.createIndexes([
    { name: 'taken', key: { taken: 1 }, unique: true, sparse: true },
    ...outboxIndexes.map((index) => ({ ...index })),
  ])
  await things.insertOne({ _id: 'first', taken: 'by the first' })
  const write = async (events: Parameters<OutboxHarness['write']>[0], state: { taken?: string } = {}) => {
    const entries = outboxEntries(events)
    const keys = new Set(events.map(({ key }) => key))
    for (const key of keys) {
      const own = entries.filter((_entry, nth) => events[nth]?.key === key)
      const change = { $push: { outbox: { $each: [...own] } }, $set: { ...state, outboxAt: await database.now() } }
      await things.updateOne({ _id: key }, change, { upsert: true })
    }
    for (const replica of replicas) replica.written()
  }
  return {
    async openReplica() {
      const own = openMongo({ url, log })
      const outbox = openMongoOutbox(own, name)
      const close = async (): Promise<void> => {
        await outbox.close()
        await own.close()
      }
      const replica = { ...outbox, close }
      replicas.push(replica)
      return replica
    },
    write: (events) => write(events),
    async writeAndFail(events) {
      await write(events, { taken: 'by the first' }).catch(() => undefined)
    },
    async close() {
      await Promise.all(replicas.map((replica) => replica.close()))
      await database.connection.dropDatabase()
      await database.close()
    },
  }
}
