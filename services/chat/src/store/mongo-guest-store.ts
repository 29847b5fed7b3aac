import type { BucketUse, GuestStore } from './guest-store.ts'
import type { ChatModels, GuestBucketDocument } from './mongo-models.ts'
import { deleteAll, insertOnce } from './mongo-writes.ts'

/** Guests' allowances on MongoDB: one change of the bucket's document decides each message, and is made only if the bucket is as it was read. */
export function createMongoGuestStore({ guests }: Pick<ChatModels, 'guests'>): GuestStore {
  const read = async (bucket: string): Promise<GuestBucketDocument | null> => await guests.findById(bucket).lean()
  /** Resolves to false when another message came first. */
  const begin = async (found: GuestBucketDocument | null, fresh: GuestBucketDocument): Promise<boolean> => {
    if (found === null) return await insertOnce(guests, fresh)
    const { _id, ...window } = fresh
    return (await guests.updateOne({ _id, windowStart: found.windowStart }, { $set: window })).matchedCount > 0
  }
  const take: GuestStore['take'] = async (bucket, generationId, limit, now) => {
    const taken = await guests
      .findOneAndUpdate(
        {
          _id: bucket,
          windowStart: { $gt: startOfLast(limit.windowMs, now) },
          used: { $lt: limit.messages },
          pending: { $ne: generationId },
        },
        { $inc: { used: 1 }, $push: { pending: generationId } },
        { returnDocument: 'after' },
      )
      .lean()
    if (taken !== null) return { granted: true, ...useOf(taken, limit.windowMs, now) }
    const found = await read(bucket)
    const use = useOf(found, limit.windowMs, now)
    const isOver = use.resetAt === undefined
    if (!isOver && found?.pending.includes(generationId)) return { granted: true, ...use }
    if (use.used >= limit.messages) return { granted: false, ...use }
    const fresh = { _id: bucket, windowStart: now, used: 1, pending: [generationId] }
    if (isOver && (await begin(found, fresh))) return { granted: true, ...useOf(fresh, limit.windowMs, now) }
    return await take(bucket, generationId, limit, now)
  }
  return {
    take,
    async settle(bucket, generationId, kept) {
      await guests.updateOne(
        { _id: bucket, pending: generationId },
        { $pull: { pending: generationId }, ...(!kept && { $inc: { used: -1 } }) },
      )
    },
    async use(bucket, windowMs, now) {
      return useOf(await read(bucket), windowMs, now)
    },
    async purge(before) {
      await deleteAll(guests, { windowStart: { $lt: before } })
    },
  }
}

/** A window that began then or before is over. */
const startOfLast = (windowMs: number, now: Date): Date => new Date(now.getTime() - windowMs)

function useOf(bucket: GuestBucketDocument | null, windowMs: number, now: Date): BucketUse {
  if (bucket === null || bucket.windowStart <= startOfLast(windowMs, now)) return { used: 0, resetAt: undefined }
  return { used: bucket.used, resetAt: new Date(bucket.windowStart.getTime() + windowMs) }
}
