import { type Kysely, sql } from 'kysely'
import { type AbandonedStore, unsettledAtOnce } from '../generation-store.ts'
import { toGeneration } from './generation-rows.ts'
import { leaseEnd } from './generations.ts'
import type { ChatTables } from './tables.ts'

/** Repairs after a replica died, on PostgreSQL. */
export function createPgAbandonedStore(db: Kysely<ChatTables>): AbandonedStore {
  return {
    async keepAlive(lease) {
      await db
        .insertInto('replicas')
        .values({ owner: lease.owner, alive_until: leaseEnd(lease) })
        .onConflict((same) => same.column('owner').doUpdateSet({ alive_until: leaseEnd(lease) }))
        .execute()
    },
    async endLeases() {
      await db.deleteFrom('replicas').execute()
      await db
        .updateTable('messages')
        .set({ lease_until: new Date(0) })
        .where('status', '=', 'generating')
        .execute()
    },
    async takeOver(lease) {
      const othersAlive = db
        .selectFrom('replicas')
        .select('owner')
        .where('alive_until', '>=', sql<Date>`now()`)
        .where('owner', '<>', lease.owner)
      const dead = db
        .selectFrom('messages')
        .select('id')
        .where('status', '=', 'generating')
        .where('lease_until', '<', sql<Date>`now()`)
        .where('lease_owner', 'not in', othersAlive)
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
        .limit(unsettledAtOnce)
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
      await db.deleteFrom('replicas').where('alive_until', '<', sql<Date>`now()`).execute()
    },
  }
}
