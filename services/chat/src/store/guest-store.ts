import { type Collection, createChange, type Documents } from '@parley/documents'
import { z } from 'zod'
import { type AllowanceWindow, type BucketLimit, currentWindow, decideAllowance } from '../guests/decide-allowance.ts'

/** Messages used in a bucket's current window. */
export interface BucketUse {
  readonly used: number
  /** When the window ends; undefined when none has begun. */
  readonly resetAt: Date | undefined
}

/**
 * Counts guests' messages per bucket: a guest, or a network. Every act is one atomic change of one bucket, on disk when it resolves:
 * whatever the interleaving, a window never grants more than the limit. A changed limit applies at once.
 */
export type GuestStore = ReturnType<typeof createGuestStore>

interface Bucket extends AllowanceWindow {
  readonly id: string
}

const purgedAtOnce = 1_000

/** The buckets; version 0.1.0 changes them without moving their version. */
export const guestBuckets: Collection<Bucket, 'by_start'> = {
  name: 'guest_buckets',
  schema: z.looseObject({
    id: z.string(),
    windowStart: z.coerce.date(),
    used: z.number(),
    pending: z.array(z.string()),
  }),
  indexes: { by_start: ['windowStart'] },
  hasUnversionedWriters: true,
}

/** Guests' allowances over documents, one for each bucket. */
export function createGuestStore(buckets: Documents<Bucket, 'by_start'>) {
  const change = createChange(buckets)
  return {
    /** Takes one message for a generation; taking it again for the same generation changes nothing. A refusal takes nothing. */
    async take(id: string, generationId: string, limit: BucketLimit, now: Date) {
      return await change(id, (bucket) => {
        const { granted, next } = decideAllowance(bucket, { type: 'take', generationId, limit, now })
        const result = { granted, ...useOf(next ?? bucket, limit.windowMs, now) }
        return { result, next: next && { ...bucket, ...next, id } }
      })
    },
    /** Settles a taken message for good: `kept` false gives it back. Does nothing when it was settled before or its window is over. */
    async settle(id: string, generationId: string, kept: boolean): Promise<void> {
      await change(id, (bucket) => {
        const { next } = decideAllowance(bucket, { type: 'settle', generationId, kept })
        return { result: undefined, next: next && { ...bucket, ...next, id } }
      })
    },
    async use(id: string, windowMs: number, now: Date): Promise<BucketUse> {
      return useOf((await buckets.get(id))?.doc, windowMs, now)
    },
    /** Forgets buckets whose window began before `before`. */
    async purge(before: Date): Promise<void> {
      while ((await buckets.removeWhere('by_start', { before }, purgedAtOnce)) > 0);
    },
  }
}

function useOf(window: AllowanceWindow | undefined, windowMs: number, now: Date): BucketUse {
  const current = currentWindow(window, windowMs, now)
  if (current === undefined) return { used: 0, resetAt: undefined }
  return { used: current.used, resetAt: new Date(current.windowStart.getTime() + windowMs) }
}
