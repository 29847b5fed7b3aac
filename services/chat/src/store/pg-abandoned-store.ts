import { type Kysely, sql } from 'kysely'
import type { AbandonedStore } from './generation-store.ts'
import { toGeneration } from './pg-generation-rows.ts'
import { leaseEnd } from './pg-generation-store.ts'
import type { ChatTables } from './tables.ts'

const atOnce = 100

/** What has to be put right after a replica died, on PostgreSQL. */
export function createPgAbandonedStore(db: Kysely<ChatTables>): AbandonedStore {
  return {
    async endLeases() {
      await db
        .updateTable('messages')
        .set({ lease_until: new Date(0) })
        .where('status', '=', 'generating')
        .execute()
    },
    async takeOver(lease) {
      const dead = db
        .selectFrom('messages')
        .select('id')
        .where('status', '=', 'generating')
        .where('lease_until', '<', sql<Date>`now()`)
        .limit(1)
        .forUpdate()
        .skipLocked()
      const row = await db
        .updateTable('messages')
        .set({ lease_owner: lease.owner, lease_until: leaseEnd(lease) })
        .where('id', '=', dead)
        .returningAll()
        .executeTakeFirst()
      return row && toGeneration(row)
    },
    async unsettled(before) {
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('settlement_open', '=', true)
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(atOnce)
        .execute()
      return rows.map(toGeneration)
    },
    async purgeExpired(now) {
      await db
        .deleteFrom('messages')
        .where('expires_at', '<', now)
        .where('status', '<>', 'generating')
        .where('settlement_open', '=', false)
        .execute()
    },
  }
}
