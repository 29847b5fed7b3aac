import type { authInternalRoutes, EventOf } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import type { Call } from '@parley/kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import { findAccount, hasRow } from '../account.ts'
import type { AuthTables } from '../tables.ts'
import { closeExports } from './data-export-end.ts'
import { keepPieces, type NewPiece } from './data-export-pieces.ts'
import { completeExport } from './export-completion.ts'

/** One call of a service's run. */
interface Contribution extends Omit<Call<typeof authInternalRoutes.contributeToExport>['body'], 'pieces'> {
  readonly pieces: readonly NewPiece[]
}

/** An export's way in: what each service contributes, and those that are late with it. */
export const createExportContributions = (db: Kysely<AuthTables>) => ({
  /**
   * Stores a service's contribution; what no longer fits is left out. With the last contribution the export is completed, its event
   * written, and the previous export expires; if the user's address is no longer confirmed, the export fails.
   * False when no contribution is expected: the export is not collecting, the service is done, or another run has begun.
   * @param ready creates the event for the export's user
   */
  async contribute(
    exportId: string,
    { service, run, call, pieces, last }: Contribution,
    ready: (userId: string) => EventOf<'auth.data-export-ready'>,
  ): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      const open = await tx
        .updateTable('data_exports')
        .set({ last_sign_at: sql`now()` })
        .where('id', '=', exportId)
        .where('state', '=', 'collecting')
        .returning('user_id')
        .executeTakeFirst()
      if (open === undefined || !(await joinRun(tx, exportId, { service, run, call }))) return false
      await keepPieces(tx, { exportId, service }, pieces)
      if (!last) return true
      await noteRun(tx, exportId, service, { done: true })
      if (await isAwaited(tx, exportId)) return true
      if (!(await findAccount(tx, open.user_id))?.emailVerified) {
        await closeExports(tx, sql`id = ${exportId}`, 'failed')
        return true
      }
      await completeExport(tx, exportId, open.user_id)
      const before = sql`user_id = ${open.user_id} and state = 'ready' and id <> ${exportId}`
      await closeExports(tx, before, 'expired')
      await writeEvents(tx, [ready(open.user_id)])
      return true
    })
  },

  /** Asks again for contributions that have been missing for ten minutes. @param requested creates the event again */
  async retry(requested: (userId: string, exportId: string) => EventOf<'auth.data-export-requested'>): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const silent = await sql<{ id: string; user_id: string }>`
        update data_exports set last_sign_at = now() where id in (
          select id from data_exports where state = 'collecting' and last_sign_at < now() - interval '10 minutes'
          order by last_sign_at limit 100 for update skip locked
        ) returning id, user_id
      `.execute(tx)
      await writeEvents(
        tx,
        silent.rows.map((row) => requested(row.user_id, row.id)),
      )
    })
  },
})

/** Whether a call belongs to the service's current run; the first call of a run makes it the current one. */
async function joinRun(
  tx: Transaction<AuthTables>,
  exportId: string,
  { service, run, call }: Pick<Contribution, 'service' | 'run' | 'call'>,
): Promise<boolean> {
  const asked = await tx
    .selectFrom('data_export_contributions')
    .select(['run', 'done'])
    .where('export_id', '=', exportId)
    .where('service', '=', service)
    .executeTakeFirst()
  if (asked === undefined || asked.done) return false
  if (call > 0) return asked.run === run
  await tx.deleteFrom('data_export_pieces').where('export_id', '=', exportId).where('service', '=', service).execute()
  await noteRun(tx, exportId, service, { run })
  return true
}

async function noteRun(
  tx: Transaction<AuthTables>,
  exportId: string,
  service: string,
  note: { run: string } | { done: true },
): Promise<void> {
  await tx
    .updateTable('data_export_contributions')
    .set(note)
    .where('export_id', '=', exportId)
    .where('service', '=', service)
    .execute()
}

const isAwaited = (tx: Transaction<AuthTables>, exportId: string): Promise<boolean> =>
  hasRow(
    tx
      .selectFrom('data_export_contributions')
      .select('service')
      .where('export_id', '=', exportId)
      .where('done', '=', false),
  )
