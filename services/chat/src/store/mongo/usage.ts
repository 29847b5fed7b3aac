import { recountedAtOnce, type Usage, type UsageStore } from '../usage-store.ts'
import { bytesOf } from './documents.ts'
import type { ChatModels } from './models.ts'

const measuredAtOnce = 200
/** A total that changed is counted again within a day: a process may have died between a write and its total. */
const dayMs = 24 * 60 * 60 * 1000

/** Totals of owners, each changed after the write that it counts. */
export const createMongoTotals = ({ usage }: Pick<ChatModels, 'usage'>) => ({
  /** Adds to what an owner keeps. */
  async add(ownerId: string, { chats = 0, bytes = 0 }: Partial<Usage>): Promise<void> {
    if (chats === 0 && bytes === 0) return
    const change = { $inc: { chats, bytes, changes: 1 }, $min: { recountAt: new Date(Date.now() + dayMs) } }
    await usage.updateOne({ _id: ownerId }, change, { upsert: true })
  },
  /** Schedules the totals of owners to be counted again soon. */
  async recountSoon(ownerIds: readonly string[]): Promise<void> {
    const those = { _id: { $in: [...new Set(ownerIds)] } }
    await usage.updateMany(those, { $inc: { changes: 1 }, $min: { recountAt: new Date() } })
  },
})

type Models = Pick<ChatModels, 'chats' | 'messages' | 'files' | 'usage'>

/** Totals on MongoDB, where no other document changes together with the one written: they are counted again a day after they changed. */
export function createMongoUsageStore(models: Models): UsageStore {
  const { usage } = models
  return {
    async of(ownerId) {
      const found = await usage.findById(ownerId, { chats: 1, bytes: 1 }).lean()
      return { chats: Math.max(0, found?.chats ?? 0), bytes: Math.max(0, found?.bytes ?? 0) }
    },
    async recount(now) {
      const due = await usage
        .find({ recountAt: { $lte: now } }, { changes: 1 })
        .sort({ recountAt: 1 })
        .limit(recountedAtOnce)
        .lean()
      for (const { _id, changes } of due) {
        const counted = await count(models, _id)
        // Changes made meanwhile may or may not be included: then the count is due again.
        await usage.updateOne({ _id, changes }, { $set: counted, $unset: { recountAt: '' } })
      }
      return due.length
    },
  }
}

async function count({ chats, messages, files }: Models, ownerId: string): Promise<Usage> {
  await measureOld(messages, ownerId)
  const shown = await chats.countDocuments({ ownerId, deletedAt: null })
  const sumOf = async (collection: Pick<Models['files'], 'aggregate'>, field: string): Promise<number> => {
    const grouped = { _id: null, sum: { $sum: field } }
    const [total] = await collection.aggregate<{ sum: number }>([{ $match: { ownerId } }, { $group: grouped }])
    return total?.sum ?? 0
  }
  return { chats: shown, bytes: (await sumOf(messages, '$bytes')) + (await sumOf(files, '$size')) }
}

/** Messages of a version that did not measure them. */
async function measureOld(messages: Models['messages'], ownerId: string): Promise<void> {
  const old = {
    ownerId,
    bytes: { $exists: false },
    status: { $ne: 'generating' as const },
    expiresAt: { $exists: false },
  }
  for (;;) {
    const found = await messages.find(old, { content: 1, reasoning: 1 }).limit(measuredAtOnce).lean()
    for (const message of found) await messages.updateOne({ _id: message._id }, { $set: { bytes: bytesOf(message) } })
    if (found.length < measuredAtOnce) return
  }
}
