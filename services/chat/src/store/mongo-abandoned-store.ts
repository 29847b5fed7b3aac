import type { AbandonedStore } from './generation-store.ts'
import { toGeneration } from './mongo-documents.ts'
import { leaseEnd, type MongoGenerationParts } from './mongo-generation-store.ts'
import { deleteAll } from './mongo-writes.ts'

const atOnce = 100
const ended = { status: { $ne: 'generating' as const } }

/** What has to be put right after a replica died, on MongoDB. */
export function createMongoAbandonedStore(
  parts: Pick<MongoGenerationParts, 'models' | 'turns' | 'database'>,
): AbandonedStore {
  const { turns, database } = parts
  const { messages } = parts.models
  return {
    async endLeases() {
      await turns.complete({ 'turn.answer': { $exists: true } })
      await messages.updateMany({ status: 'generating' }, { $set: { leaseUntil: new Date(0) } })
    },
    async takeOver(lease) {
      const now = await database.now()
      await turns.complete({ 'turn.answer.leaseUntil': { $lt: now } })
      const taken = await messages
        .findOneAndUpdate(
          { status: 'generating', leaseUntil: { $lt: now } },
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
        .limit(atOnce)
        .lean()
      return found.map(toGeneration)
    },
    async purgeExpired(now) {
      // An event that is not published yet keeps its answer.
      const done = { ...ended, settlementOpen: { $exists: false }, outboxAt: { $exists: false } }
      await deleteAll(messages, { expiresAt: { $lt: now }, ...done })
    },
  }
}
