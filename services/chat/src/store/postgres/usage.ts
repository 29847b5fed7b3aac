import { type Kysely, sql } from 'kysely'
import { recountedAtOnce, type UsageStore } from '../usage-store.ts'
import type { ChatTables } from './tables.ts'

/** Totals on PostgreSQL, where triggers count: they are always right once they were counted. */
export const createPgUsageStore = (db: Kysely<ChatTables>): UsageStore => ({
  async of(ownerId) {
    const counted = db.selectFrom('owner_usage').select(['chats', 'bytes']).where('owner_id', '=', ownerId)
    const row = await counted.executeTakeFirst()
    // Below nothing where things were removed that are not counted yet.
    return { chats: Math.max(0, row?.chats ?? 0), bytes: Math.max(0, row?.bytes ?? 0) }
  },
  async recount(now) {
    return await db.transaction().execute(async (tx) => {
      const due = await tx
        .selectFrom('owner_usage')
        .select('owner_id')
        .where('recount_at', '<=', now)
        .orderBy('recount_at')
        .limit(recountedAtOnce)
        .forUpdate()
        .skipLocked()
        .execute()
      // Later additions of others wait for this lock and are added to this count; earlier ones are seen by it.
      for (const { owner_id } of due) {
        await sql`
          update owner_usage set recount_at = null,
            chats = (select count(*) from chats where owner_id = ${owner_id} and deleted_at is null),
            bytes = (
              select coalesce(sum(octet_length(content) + octet_length(reasoning)), 0) from messages
              where owner_id = ${owner_id} and expires_at is null and status <> 'generating'
            ) + (select coalesce(sum(size), 0) from files where owner_id = ${owner_id})
          where owner_id = ${owner_id}
        `.execute(tx)
      }
      return due.length
    })
  },
})
