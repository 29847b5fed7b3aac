import { sql, type Transaction } from 'kysely'
import type { AuthTables } from '../tables.ts'

/** Ends exports, whose pieces and links are gone with that. */
export async function closeExports(
  tx: Transaction<AuthTables>,
  which: ReturnType<typeof sql>,
  state: 'failed' | 'expired',
  withdrawn = false,
): Promise<void> {
  await sql`
    with closed as (
      update data_exports set state = ${state}, token_hash = null, withdrawn = ${withdrawn} where ${which} returning id
    )
    delete from data_export_pieces where export_id in (select id from closed)
  `.execute(tx)
}

/** Ends what a user could download by a mailed link that may have fallen into other hands; it costs no cooldown. */
export const withdrawExports = (tx: Transaction<AuthTables>, userId: string): Promise<void> =>
  closeExports(tx, sql`user_id = ${userId} and state = 'ready'`, 'expired', true)
