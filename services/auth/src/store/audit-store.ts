import type { Kysely, Selectable, Transaction } from 'kysely'
import type { AuthTables } from './tables.ts'

/** Who did what to whom. `before` and `after` hold no secret. */
export interface AuditEntry {
  readonly id: string
  readonly actorId: string
  readonly action: string
  readonly target: string | null
  readonly requestId: string
}
export type AuditRow = Selectable<AuthTables['audit']>

/** What admins did. Entries are written together with what they tell of, and never changed. */
export const createAuditStore = (db: Kysely<AuthTables>) => ({
  /** Newest first. @param before `seq` of the last one of the page before */
  async list(page: { limit: number; before: number | undefined }): Promise<AuditRow[]> {
    let query = db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(page.limit)
    if (page.before !== undefined) query = query.where('seq', '<', page.before)
    return await query.execute()
  },
})

/** Writes an entry with the name that its actor has now. */
export async function writeAudit(
  tx: Transaction<AuthTables>,
  entry: AuditEntry & { readonly before: unknown; readonly after: unknown },
): Promise<void> {
  const actor = await tx.selectFrom('users').select('username').where('id', '=', entry.actorId).executeTakeFirst()
  await tx
    .insertInto('audit')
    .values({
      id: entry.id,
      actor_id: entry.actorId,
      actor_name: actor?.username ?? entry.actorId,
      action: entry.action,
      target: entry.target,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      request_id: entry.requestId,
    })
    .execute()
}
