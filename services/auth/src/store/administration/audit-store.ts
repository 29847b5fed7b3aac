import type { auditRoutes } from '@parley/contracts'
import { onceInInbox } from '@parley/db'
import { type Call, type Page, type Span, undoneBefore } from '@parley/kit'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { usernameKey } from '../../names.ts'
import { deletedName, withoutErased } from '../account-data/erased-users.ts'
import type { AuthTables } from '../tables.ts'
import { microsOf, timeOfMicros } from './times.ts'

const inboxGroup = 'auth.audit'

/** Actor, action and target of an act. `before` and `after` hold no secret. */
export interface AuditEntry {
  readonly id: string
  readonly actorId: string
  readonly action: string
  readonly target: string | null
  /** The target's name for people; a user's is looked up. */
  readonly targetName?: string | undefined
  readonly requestId: string
  /** The act can be undone. */
  readonly reversible?: boolean | undefined
  /** The entry that this act takes back. */
  readonly undoes?: string | undefined
}
/** An entry with what was changed; null where there was or is nothing. */
export interface AuditedChange extends AuditEntry {
  readonly before: unknown
  readonly after: unknown
}
/** An entry as it is stored. */
export type AuditRow = Selectable<AuthTables['audit']>

/** The filters of a search in the log; an actor by id or username. */
type AuditFilter = Pick<Call<typeof auditRoutes.list>['query'], 'actor' | 'action' | 'target'> & Partial<Span>

/** The query of a page of the log. Exported for the test of its plan. @param actorId in place of the filter's name */
export function pageOfAudit(
  db: Kysely<AuthTables>,
  { limit, after }: Page,
  { actor, action, target, from, until }: AuditFilter,
) {
  let query = db
    .selectFrom('audit')
    .selectAll()
    .select(microsOf(sql.ref('at')).as('value'))
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
  if (after !== undefined) query = query.where(sql<boolean>`(at, seq) < (${timeOfMicros(after.value)}, ${after.seq})`)
  if (actor !== undefined) query = query.where('actor_id', '=', actor)
  if (action !== undefined) query = query.where('action', '=', action)
  if (target !== undefined) query = query.where('target', '=', target)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (until !== undefined) query = query.where('at', '<', until)
  return query
}

/** Acts of admins. An entry is written together with the act that it describes, and changed only to note that it was undone. */
export const createAuditStore = (db: Kysely<AuthTables>) => ({
  /** Newest first. */
  async list(page: Page, filter: AuditFilter): Promise<(AuditRow & { value: string })[]> {
    const { actor } = filter
    if (actor === undefined) return await pageOfAudit(db, page, filter).execute()
    const named = db.selectFrom('users').select('id').where('username_key', '=', usernameKey(actor))
    const other = await named.where('id', '<>', actor).executeTakeFirst()
    return await pageOfAudit(db, page, { ...filter, actor: other?.id ?? actor }).execute()
  },

  find: (id: string): Promise<AuditRow | undefined> =>
    db.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst(),

  /** An act in another service, described by the event with this id; idempotent. */
  async record(eventId: string, at: Date, acted: Omit<AuditedChange, 'id'>): Promise<void> {
    await onceInInbox(db, inboxGroup, eventId, (tx) => writeAudit(tx, { ...acted, id: eventId }, at))
  },

  /** An act that changes nothing in this store. */
  write: (entry: AuditEntry): Promise<void> => writeAudit(db, { ...entry, before: null, after: null }),
})

/** Writes an entry with the names that its actor and its target have now. @param at when it happened; now by default */
export async function writeAudit(tx: Kysely<AuthTables>, change: AuditedChange, at?: Date): Promise<void> {
  const { entry, actorErased } = await withoutErased(tx, change)
  const { id, actorId, action, target, targetName, requestId, reversible = false, undoes = null } = entry
  const ids = [actorId, ...(target === null ? [] : [target])]
  const users = await tx.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute()
  const nameOf = (user: string | null): string | undefined => users.find((row) => row.id === user)?.username
  await tx
    .insertInto('audit')
    .values({
      ...{ id, action, target, reversible, undoes },
      ...(at && { at }),
      actor_id: actorId,
      actor_name: actorErased ? deletedName : (nameOf(actorId) ?? actorId),
      target_name: targetName ?? nameOf(target) ?? null,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      request_id: requestId,
    })
    .execute()
  if (undoes === null) return
  await tx.updateTable('audit').set({ undone_by: id }).where('id', '=', undoes).where('undone_by', 'is', null).execute()
}

/**
 * Keeps others from undoing an entry until the transaction ends.
 * @param current the present state of its target
 * @throws AppError conflict when it is undone already
 */
export async function lockUndo(
  tx: Transaction<AuthTables>,
  { undoes }: AuditEntry,
  current: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (undoes === undefined) return
  const row = await tx.selectFrom('audit').select('undone_by').where('id', '=', undoes).forUpdate().executeTakeFirst()
  if (row?.undone_by !== null) throw undoneBefore(current)
}
