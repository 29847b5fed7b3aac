import { withoutOutbox } from '@parley/db/mongo'
import { type AbandonedStore, unsettledAtOnce } from '../generation-store.ts'
import { toGeneration } from './documents.ts'
import { leaseEnd } from './generations.ts'
import type { MongoParts } from './turns.ts'
import { deleteAll } from './writes.ts'

const ended = { status: { $ne: 'generating' as const } }

interface Replica {
  readonly _id: string
  readonly aliveUntil: Date
}

/** Repairs after a replica died, on MongoDB. */
export function createMongoAbandonedStore({ turns, database, models }: MongoParts): AbandonedStore {
  const { messages } = models
  const replicas = () => database.collection<Replica>('replicas')
  return {
    async keepAlive(lease) {
      const aliveUntil = await leaseEnd(database, lease)
      await (await replicas()).updateOne({ _id: lease.owner }, { $set: { aliveUntil } }, { upsert: true })
    },
    async endLeases() {
      await (await replicas()).deleteMany({})
      await turns.complete({ 'turn.answer': { $exists: true } })
      await messages.updateMany({ status: 'generating' }, { $set: { leaseUntil: new Date(0) } })
    },
    async takeOver(lease) {
      const { earliest } = await database.time()
      const othersAlive = await (await replicas())
        .find({ _id: { $ne: lease.owner }, aliveUntil: { $gte: earliest } })
        .map(({ _id }) => _id)
        .toArray()
      await turns.complete({ 'turn.answer.leaseUntil': { $lt: earliest } })
      const taken = await messages
        .findOneAndUpdate(
          { status: 'generating', leaseUntil: { $lt: earliest }, leaseOwner: { $nin: othersAlive } },
          { $set: { leaseOwner: lease.owner, leaseUntil: await leaseEnd(database, lease) } },
          { returnDocument: 'after' },
        )
        .lean()
      return taken === null ? undefined : toGeneration(taken)
    },
    async unsettled(before) {
      const found = await messages
        .find({ settlementOpen: true, ...ended, createdAt: { $lt: before } })
        .sort({ createdAt: 1 })
        .limit(unsettledAtOnce)
        .lean()
      return found.map(toGeneration)
    },
    async purgeExpired(now) {
      // An event that is not published yet keeps its answer.
      const done = { ...ended, settlementOpen: { $exists: false }, ...withoutOutbox }
      await deleteAll(messages, { expiresAt: { $lt: now }, ...done })
      const { earliest } = await database.time()
      await (await replicas()).deleteMany({ aliveUntil: { $lt: earliest } })
    },
  }
}
