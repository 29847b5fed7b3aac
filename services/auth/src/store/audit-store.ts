import { onceInInbox } from '@parley/db'
import type { Kysely, Selectable } from 'kysely'
import { deletedName, withoutErased } from './erased-users.ts'
import type { AuthTables } from './tables.ts'

const inboxGroup = 'auth.audit'

/** Who did what to whom. `before` and `after` hold no secret. */
export interface AuditEntry {
  readonly id: string
  readonly actorId: string
  readonly action: string
  readonly target: string | null
  readonly requestId: string
}
/** An entry with what was changed; null where there was or is nothing. */
export interface AuditedChange extends AuditEntry {
  readonly before: unknown
  readonly after: unknown
}
/** An entry as it is stored. */
export type AuditRow = Selectable<AuthTables['audit']>

/** What admins did. Entries are written together with what they tell of, and never changed. */
export const createAuditStore = (db: Kysely<AuthTables>) => ({
  /** Newest first. @param before `seq` of the last one of the page before */
  async list(page: { limit: number; before: number | undefined }): Promise<AuditRow[]> {
    let query = db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(page.limit)
    if (page.before !== undefined) query = query.where('seq', '<', page.before)
    return await query.execute()
  },

  /** An act in another service, told by the event with this id; told again, nothing happens. */
  async record(eventId: string, at: Date, acted: Omit<AuditedChange, 'id'>): Promise<void> {
    await onceInInbox(db, inboxGroup, eventId, (tx) => writeAudit(tx, { ...acted, id: eventId }, at))
  },

  /** An act that changes nothing in this store. */
  write: (entry: AuditEntry): Promise<void> => writeAudit(db, { ...entry, before: null, after: null }),
})

/** Writes an entry with the name that its actor has now. @param at when it happened; now unless told */
export async function writeAudit(tx: Kysely<AuthTables>, change: AuditedChange, at?: Date): Promise<void> {
  const { entry, actorErased } = await withoutErased(tx, change)
  const actor = await tx.selectFrom('users').select('username').where('id', '=', entry.actorId).executeTakeFirst()
  await tx
    .insertInto('audit')
    .values({
      id: entry.id,
      ...(at && { at }),
      actor_id: entry.actorId,
      actor_name: actorErased ? deletedName : (actor?.username ?? entry.actorId),
      action: entry.action,
      target: entry.target,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      request_id: entry.requestId,
    })
    .execute()
}
