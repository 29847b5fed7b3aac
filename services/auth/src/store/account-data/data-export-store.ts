import type { EventOf, ServiceName } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { type Kysely, sql } from 'kysely'
import { lockAccount } from '../account.ts'
import type { AuthTables } from '../tables.ts'
import { closeExports } from './data-export-end.ts'
import { createExportContributions } from './export-contributions.ts'
import { createExportDownloads } from './export-downloads.ts'

/** An export to be begun: who will contribute, and the event that asks them. */
export interface NewExport {
  readonly id: string
  readonly services: readonly ServiceName[]
  readonly requested: EventOf<'auth.data-export-requested'>
}
/** The result of asking for an export. */
type ExportRequest = 'requested' | 'gone' | 'unverified' | { readonly retryAfterSeconds: number }

/** Copies of all data stored about a user, at most one per user. Ages are measured by the database's clock. */
export const createDataExportStore = (db: Kysely<AuthTables>) => ({
  ...createExportContributions(db),
  ...createExportDownloads(db),

  /**
   * Begins an export with its event, unless the user has none but an unconfirmed address, or asked for another one within the cooldown;
   * one that failed or was withdrawn does not count. Requests of one user wait for each other.
   */
  async request(userId: string, cooldownMinutes: number, request: NewExport): Promise<ExportRequest> {
    return await db.transaction().execute(async (tx) => {
      const user = await lockAccount(tx, userId)
      if (user === undefined) return 'gone'
      if (!user.emailVerified) return 'unverified'
      const last = await lastCounted(tx, userId, cooldownMinutes)
      if (last !== undefined && last.seconds > 0) return { retryAfterSeconds: last.seconds }
      await closeExports(tx, sql`user_id = ${userId} and state = 'collecting'`, 'failed')
      await tx.insertInto('data_exports').values({ id: request.id, user_id: userId }).execute()
      await tx
        .insertInto('data_export_contributions')
        .values(request.services.map((service) => ({ export_id: request.id, service })))
        .execute()
      await writeEvents(tx, [request.requested])
      return 'requested'
    })
  },

  /** The last one that the user asked for, and when they may ask for another one, null when they may now; undefined when there is none. */
  async last(userId: string, cooldownMinutes: number) {
    const row = await db
      .selectFrom('data_exports')
      .select(['id', 'state', 'requested_at', 'expires_at', doneOf('done'), doneOf('total')])
      .where('user_id', '=', userId)
      .orderBy('requested_at', 'desc')
      .executeTakeFirst()
    if (row === undefined) return undefined
    const counted = await lastCounted(db, userId, cooldownMinutes)
    return {
      id: row.id,
      state: row.state,
      requestedAt: row.requested_at,
      expiresAt: row.expires_at,
      progress: { done: row.done, total: row.total },
      nextAllowedAt: counted !== undefined && counted.seconds > 0 ? counted.until : null,
    }
  },

  /** Gives up what could not be put together in a day, ends what could be had for seven, and forgets after a year, which no cooldown outlasts. */
  async sweep(): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const late = sql`state = 'collecting' and requested_at < now() - interval '24 hours'`
      await closeExports(tx, late, 'failed')
      await closeExports(tx, sql`state = 'ready' and expires_at < now()`, 'expired')
      await sql`
        delete from data_exports where state in ('failed', 'expired') and requested_at < now() - interval '366 days'
      `.execute(tx)
    })
  },
})

/** Until when the last one that counts keeps the user from asking again. */
async function lastCounted(db: Kysely<AuthTables>, userId: string, cooldownMinutes: number) {
  // Not `now()`, which is the transaction's start: a transaction that had to wait may have started before the request that it finds here.
  const found = await sql<{ until: Date; seconds: number }>`
    select until, greatest(ceil(extract(epoch from until - clock_timestamp())), 0)::integer as seconds from (
      select requested_at + make_interval(mins => ${cooldownMinutes}::integer) as until from data_exports
      where user_id = ${userId} and state <> 'failed' and not withdrawn order by requested_at desc limit 1
    ) as last
  `.execute(db)
  return found.rows[0]
}

const doneOf = (name: 'done' | 'total') =>
  sql<number>`(
    select count(*) from data_export_contributions where export_id = data_exports.id and (done or ${name === 'total'})
  )`.as(name)
