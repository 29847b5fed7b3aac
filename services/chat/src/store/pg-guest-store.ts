import { type Kysely, sql } from 'kysely'
import type { BucketUse, GuestStore } from './guest-store.ts'
import type { ChatTables } from './tables.ts'

/** Guests' allowances on PostgreSQL: one statement decides each message. */
export function createPgGuestStore(db: Kysely<ChatTables>): GuestStore {
  const read = async (bucket: string, windowMs: number, now: Date): Promise<BucketUse & { pending: string[] }> => {
    const row = await db
      .selectFrom('guest_buckets')
      .selectAll()
      .where('bucket', '=', bucket)
      .where('window_start', '>', new Date(now.getTime() - windowMs))
      .executeTakeFirst()
    if (row === undefined) return { used: 0, resetAt: undefined, pending: [] }
    return { used: row.used, resetAt: new Date(row.window_start.getTime() + windowMs), pending: row.pending }
  }
  return {
    async take(bucket, generationId, limit, now) {
      const over = sql`guest_buckets.window_start <= ${new Date(now.getTime() - limit.windowMs)}`
      const { rows } = await sql<{ used: number; window_start: Date }>`
        insert into guest_buckets (bucket, window_start, used, pending)
        select ${bucket}, ${now}::timestamptz, 1, array[${generationId}::text] where ${limit.messages}::integer > 0
        on conflict (bucket) do update set
          window_start = case when ${over} then excluded.window_start else guest_buckets.window_start end,
          used = case when ${over} then 1 else guest_buckets.used + 1 end,
          pending = case when ${over} then excluded.pending else guest_buckets.pending || excluded.pending end
        where ${over} or (guest_buckets.used < ${limit.messages} and not guest_buckets.pending @> excluded.pending)
        returning used, window_start
      `.execute(db)
      const taken = rows[0]
      if (taken !== undefined) {
        return { granted: true, used: taken.used, resetAt: new Date(taken.window_start.getTime() + limit.windowMs) }
      }
      const { pending, ...use } = await read(bucket, limit.windowMs, now)
      return { ...use, granted: pending.includes(generationId) }
    },
    async settle(bucket, generationId, kept) {
      await db
        .updateTable('guest_buckets')
        .set({
          used: kept ? sql`used` : sql`used - 1`,
          pending: sql`array_remove(pending, ${generationId})`,
        })
        .where('bucket', '=', bucket)
        .where(sql<boolean>`${generationId} = any(pending)`)
        .execute()
    },
    async use(bucket, windowMs, now) {
      const { used, resetAt } = await read(bucket, windowMs, now)
      return { used, resetAt }
    },
    async purge(before) {
      await db.deleteFrom('guest_buckets').where('window_start', '<', before).execute()
    },
  }
}
