import { type Checkpoint, checkpointKey, createCheckpoints, type SavedCheckpoint } from '../checkpoints.ts'
import type { GenerationStore } from '../generation-store.ts'
import { progressFields } from './documents.ts'
import type { MongoParts } from './turns.ts'

/** Checkpoints on MongoDB: those that are gathered become one bulk write, each document changed by itself, and one query for the result. */
export function createMongoCheckpoints(parts: MongoParts): GenerationStore['checkpoint'] {
  return createCheckpoints({ save: (asked) => save(parts, asked), isFaultOfOne })
}

/** Errors of the driver for a document that it, or the server, cannot take. */
const faults = new Set(['MongoBulkWriteError', 'MongoInvalidArgumentError', 'BSONError', 'RangeError'])
const isFaultOfOne = (error: unknown): boolean => faults.has(String((error as { name?: unknown } | null)?.name))

async function save(parts: MongoParts, asked: readonly Checkpoint[]): Promise<Map<string, SavedCheckpoint>> {
  const { messages } = parts.models
  const { latest } = await parts.database.time()
  const writes = asked.map(({ id, lease, progress }) => {
    const leaseUntil = new Date(latest.getTime() + lease.ms)
    const filter = { _id: id, status: 'generating' as const, leaseOwner: lease.owner }
    return { updateOne: { filter, update: { $set: { leaseUntil, ...(progress && progressFields(progress)) } } } }
  })
  await messages.bulkWrite(writes as never, { ordered: false })
  // A lost lease does not come back by itself: the owner found here had the lease at the write.
  const held = await messages
    .find({ _id: { $in: asked.map(({ id }) => id) }, status: 'generating' }, { leaseOwner: 1, stop: 1 })
    .lean()
  return new Map(
    held.map(({ _id, leaseOwner, stop }) => [checkpointKey(_id, leaseOwner ?? ''), { stop: stop ?? null }]),
  )
}
