import { writeEvents } from '@parley/db'
import { type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { GenerationSelection, GenerationStore, Lease } from './generation-store.ts'
import { progressColumns, progressJson, toGeneration, toNewRow } from './pg-generation-rows.ts'
import type { ChatTables } from './tables.ts'

/** Answers being made, on PostgreSQL. The event is an outbox row of the same transaction. */
export function createPgGenerationStore(db: Kysely<ChatTables>): GenerationStore {
  const held = (id: string, owner: string) =>
    db.updateTable('messages').where('id', '=', id).where('status', '=', 'generating').where('lease_owner', '=', owner)
  return {
    async begin(generation, lease) {
      const result = await db
        .insertInto('messages')
        .values({ ...toNewRow(generation), lease_owner: lease.owner, lease_until: leaseEnd(lease) })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirst()
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
    },
    async find(id, ownerId) {
      const row = await db
        .selectFrom('messages')
        .selectAll()
        .where('id', '=', id)
        .where('owner_id', '=', ownerId)
        .where('role', '=', 'assistant')
        .executeTakeFirst()
      return row && toGeneration(row)
    },
    async checkpoint(id, lease, progress) {
      const update = held(id, lease.owner).set({ lease_until: leaseEnd(lease) })
      const saving =
        progress === undefined
          ? update
          : update.set({
              ...progressColumns(progress),
              generation: sql`generation || ${progressJson(progress)}::jsonb`,
            })
      const row = await saving.returning('stop_requested').executeTakeFirst()
      return row && { stop: row.stop_requested }
    },
    async finish(id, leaseOwner, progress, ending, event) {
      const status = { complete: 'complete', stopped: 'complete', interrupted: 'interrupted', error: 'error' } as const
      return await db.transaction().execute(async (tx) => {
        const result = await tx
          .updateTable('messages')
          .set({
            ...progressColumns(progress),
            status: status[ending.outcome],
            generation: sql`generation || ${progressJson(progress)}::jsonb || ${JSON.stringify({ ending })}::jsonb`,
            lease_until: null,
            settlement_open: sql<boolean>`generation -> 'guest' <> 'null'`,
          })
          .where('id', '=', id)
          .where('status', '=', 'generating')
          .where('lease_owner', '=', leaseOwner)
          .executeTakeFirst()
        if (result.numUpdatedRows === 0n) return false
        if (event !== undefined) await writeEvents(tx, [event])
        return true
      })
    },
    async noteSettled(id, credits) {
      await db
        .updateTable('messages')
        .set({
          settlement_open: false,
          generation: sql`jsonb_set(generation, '{ending,credits}', ${JSON.stringify(credits)}::jsonb)`,
        })
        .where('id', '=', id)
        .where('status', '<>', 'generating')
        .execute()
    },
    async requestStop(selection, reason) {
      const rows = await db
        .updateTable('messages')
        .set({ stop_requested: sql`coalesce(stop_requested, ${reason})` })
        .where('status', '=', 'generating')
        .where(selected(selection))
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}

/** By the database's clock, which is one for all replicas. */
export const leaseEnd = (lease: Lease) => sql<Date>`now() + ${lease.ms} * interval '1 millisecond'`

const selected = (selection: GenerationSelection) => (where: ExpressionBuilder<ChatTables, 'messages'>) => {
  if ('chatIds' in selection) return sql<SqlBool>`chat_id = any(${[...selection.chatIds]})`
  const owned = where('owner_id', '=', selection.ownerId)
  return where.and([
    owned,
    'id' in selection ? where('id', '=', selection.id) : where('created_at', '<=', selection.until),
  ])
}
