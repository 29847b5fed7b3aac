import type { Event, EventOf, Locale, ServiceName } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { erasedHash } from '@parley/kit'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { hasRow } from '../account.ts'
import { type AuditEntry, writeAudit } from '../administration/audit-store.ts'
import { passwordHashOf } from '../passwords/password-store.ts'
import type { AuthTables } from '../tables.ts'
import { forgetTraces } from './erased-users.ts'

/** Services that have not acknowledged an erasure are asked again after this long. */
const retryMinutes = 10
/** How long an erasure waits for its receipt, if the delivery is not confirmed. Mails are retried for a day. */
const keptHours = 25
const atOnce = 20

/** An account to be deleted. */
export interface NewErasure {
  readonly id: string
  readonly userId: string
  /** Hash of the password that was proved; undefined of an account that has none. */
  readonly proved: string | undefined
  /** Services that keep something of the user, too. */
  readonly services: readonly ServiceName[]
  readonly entry: AuditEntry
  readonly deleted: EventOf<'auth.user-deleted'>
}
/** `unproved` when the password has changed meanwhile, `last_super_admin` when nobody else could grant rights any more. */
export type Deletion = 'deleted' | 'unknown' | 'unproved' | 'last_super_admin'
/** An erasure as it is stored. */
export type ErasureRow = Selectable<AuthTables['erasures']>
export type ErasureStore = ReturnType<typeof createErasureStore>

/** Accounts that are being erased everywhere. Ages are measured by the database's clock. */
export const createErasureStore = (db: Kysely<AuthTables>) => ({
  /** Whether a session began at most this many seconds ago. */
  isFresh: (userId: string, sessionId: string, seconds: number): Promise<boolean> =>
    hasRow(
      db
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .where('created_at', '>', sql<Date>`now() - make_interval(secs => ${seconds})`),
    ),

  /** Deletes an account with all data auth has about it, and notifies the other services, in one transaction. */
  async begin(erasure: NewErasure): Promise<Deletion> {
    return await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('auth.super-admin', 0))`.execute(tx)
      const { userId } = erasure
      const row = await tx.selectFrom('users').selectAll().where('id', '=', userId).forUpdate().executeTakeFirst()
      if (row === undefined) return 'unknown'
      if ((await passwordHashOf(tx, userId)) !== erasure.proved) return 'unproved'
      if (row.is_super_admin && !(await hasOtherSuperAdmin(tx, userId))) return 'last_super_admin'
      const { username, email } = row
      const { locale } = row.preferences
      await tx
        .insertInto('erased_users')
        .values({ id_hash: erasedHash(userId) })
        .execute()
      await tx.deleteFrom('users').where('id', '=', userId).execute()
      await forgetTraces(tx, userId)
      await writeAudit(tx, { ...erasure.entry, before: null, after: null })
      await tx
        .insertInto('erasures')
        .values({
          id: erasure.id,
          user_id: userId,
          email,
          username,
          locale: locale ?? 'en',
          pending: [...erasure.services],
        })
        .execute()
      await writeEvents(tx, [erasure.deleted])
      return 'deleted'
    })
  },

  /** Records that a service has erased the user; the last acknowledgement is announced by the event. False when there is no such erasure. */
  async acknowledge(id: string, service: ServiceName, erased: EventOf<'auth.user-erased'>): Promise<boolean> {
    return await db.transaction().execute(async (tx) => {
      const row = await tx
        .updateTable('erasures')
        .set({ pending: sql`array_remove(pending, ${service})` })
        .where('id', '=', id)
        .returning(['pending', 'erased_at'])
        .executeTakeFirst()
      if (row === undefined) return false
      if (row.pending.length > 0 || row.erased_at !== null) return true
      await tx.updateTable('erasures').set({ erased_at: sql`now()` }).where('id', '=', id).execute()
      await writeEvents(tx, [erased])
      return true
    })
  },

  /** The address for the receipt; undefined while a service has not acknowledged, or when the address is no longer known. */
  async erased(id: string): Promise<{ email: string; username: string; locale: Locale; at: Date } | undefined> {
    const row = await db.selectFrom('erasures').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined || row.erased_at === null) return undefined
    return { email: row.email, username: row.username, locale: row.locale, at: row.erased_at }
  },

  /** The receipt was mailed, or never will be. */
  async noteReceiptSettled(id: string): Promise<void> {
    await db.updateTable('erasures').set({ told_at: sql`now()` }).where('id', '=', id).execute()
  },

  /** Publishes the deletion again where services have not acknowledged it in 10 minutes. */
  async retry(deletedOf: (erasure: Pick<ErasureRow, 'id' | 'user_id'>) => Event): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const waiting = tx
        .selectFrom('erasures')
        .select('id')
        .where('erased_at', 'is', null)
        .where('asked_at', '<', sql<Date>`now() - make_interval(mins => ${retryMinutes})`)
        .limit(atOnce)
        .forUpdate()
        .skipLocked()
      const asked = await tx
        .updateTable('erasures')
        .set({ asked_at: sql`now()` })
        .where('id', 'in', waiting)
        .returning(['id', 'user_id'])
        .execute()
      await writeEvents(tx, asked.map(deletedOf))
    })
  },

  /**
   * Takes erasures of which only this row is left; `overdue` are those whose receipt is no longer waited for. One that is not closed is handed out again
   * after a delay that grows with the time since its end, from a second to five minutes.
   */
  async takeOver(): Promise<(ErasureRow & { overdue: boolean })[]> {
    const overdue = sql<boolean>`erased_at < now() - make_interval(hours => ${keptHours})`
    const since = sql`coalesce(told_at, erased_at)`
    const pause = sql`least(greatest(asked_at - ${since}, interval '1 second'), interval '5 minutes')`
    const due = db
      .selectFrom('erasures')
      .select('id')
      .where('erased_at', 'is not', null)
      .where((where) => where.or([where('told_at', 'is not', null), overdue]))
      .where(sql<boolean>`(asked_at < ${since} or asked_at < now() - ${pause})`)
      .orderBy('asked_at')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
    return await db
      .updateTable('erasures')
      .set({ asked_at: sql`now()` })
      .where('id', 'in', due)
      .returningAll()
      .returning(overdue.as('overdue'))
      .execute()
  },

  /** Forgets an erasure, with anything that arrived for it. */
  async close({ id, user_id }: Pick<ErasureRow, 'id' | 'user_id'>): Promise<void> {
    await db.transaction().execute(async (tx) => {
      await forgetTraces(tx, user_id)
      await tx.deleteFrom('erasures').where('id', '=', id).execute()
    })
  },
})

const hasOtherSuperAdmin = (tx: Transaction<AuthTables>, userId: string): Promise<boolean> =>
  hasRow(tx.selectFrom('users').select('id').where('is_super_admin', '=', true).where('id', '<>', userId))
