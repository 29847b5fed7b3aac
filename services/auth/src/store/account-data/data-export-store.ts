import type { DataExport, EventOf, ServiceName } from '@parley/contracts'
import { writeEvents } from '@parley/db'
import { type Kysely, sql, type Transaction } from 'kysely'
import { type Account, findAccount } from '../account.ts'
import type { AuthTables } from '../tables.ts'
import { closeExports } from './data-export-end.ts'
import { keepPieces, type NewPiece } from './data-export-pieces.ts'
import { completeExport } from './export-completion.ts'

/** An export to be begun: who will contribute, and the event that asks them. */
export interface NewExport {
  readonly id: string
  readonly services: readonly ServiceName[]
  readonly requested: EventOf<'auth.data-export-requested'>
}
/** One call of a service's run. */
export interface Contribution {
  readonly service: ServiceName
  readonly run: string
  readonly call: number
  readonly pieces: readonly NewPiece[]
  readonly last: boolean
}
/** The last export of a user; seconds until they may ask for another one, 0 when they may now. */
export interface LastExport extends Omit<DataExport, 'requestedAt' | 'expiresAt'> {
  readonly requestedAt: Date
  readonly expiresAt: Date | null
  readonly nextAllowedAt: Date | null
}
/** The result of asking for an export. */
export type ExportRequest = 'requested' | 'gone' | 'unverified' | { readonly retryAfterSeconds: number }

/** Copies of all data stored about a user, at most one per user. Ages are measured by the database's clock. */
export const createDataExportStore = (db: Kysely<AuthTables>) => ({
  /**
   * Begins an export with its event, unless the user has none but an unconfirmed address, or asked for another one within the cooldown;
   * one that failed or was withdrawn does not count. Requests of one user wait for each other.
   */
  async request(userId: string, cooldownMinutes: number, request: NewExport): Promise<ExportRequest> {
    return await db.transaction().execute(async (tx) => {
      const user = await tx
        .selectFrom('users')
        .select('email_verified')
        .where('id', '=', userId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (user === undefined) return 'gone'
      if (!user.email_verified) return 'unverified'
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

  /** The last one that the user asked for; undefined when there is none. */
  async last(userId: string, cooldownMinutes: number): Promise<LastExport | undefined> {
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
      if (!(await isConfirmed(tx, open.user_id))) {
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

  /**
   * Replaces the hash of the mailed link; undefined when there is no such export to download. If the user's address is no longer
   * confirmed, the export fails, since nobody can be told of it.
   */
  async issueLink(id: string, tokenHash: Buffer): Promise<{ account: Account; expiresAt: Date } | undefined> {
    return await db.transaction().execute(async (tx) => {
      const issued = await tx
        .updateTable('data_exports')
        .from('users')
        .set({ token_hash: tokenHash })
        .whereRef('users.id', '=', 'data_exports.user_id')
        .where('data_exports.id', '=', id)
        .where('state', '=', 'ready')
        .where('expires_at', '>', sql<Date>`now()`)
        .where('email_verified', '=', true)
        .returning(['user_id', 'expires_at'])
        .executeTakeFirst()
      if (issued === undefined || issued.expires_at === null) {
        const unconfirmed = sql`user_id in (select id from users where not email_verified)`
        await closeExports(tx, sql`id = ${id} and state = 'ready' and ${unconfirmed}`, 'failed')
        return undefined
      }
      const account = await findAccount(tx, issued.user_id)
      return account && { account, expiresAt: issued.expires_at }
    })
  },

  /** When the export of a link was asked for; undefined when the link leads nowhere (any more). */
  async opened(id: string, tokenHash: Buffer): Promise<Date | undefined> {
    const found = await db
      .selectFrom('data_exports')
      .select('requested_at')
      .where('id', '=', id)
      .where('token_hash', '=', tokenHash)
      .where('state', '=', 'ready')
      .where('expires_at', '>', sql<Date>`now()`)
      .executeTakeFirst()
    return found?.requested_at
  },

  /** The files of an export, auth's own first. */
  async files(exportId: string): Promise<{ service: string; path: string }[]> {
    const found = await sql<{ service: string; path: string }>`
      select service, path from data_export_pieces where export_id = ${exportId}
      group by service, path having bool_and(data is not null)
      order by service <> 'auth', service collate "C", path collate "C"
    `.execute(db)
    return found.rows
  },

  /** The bytes of one file, piece by piece as they are taken. */
  async *content(exportId: string, { service, path }: { service: string; path: string }): AsyncGenerator<Buffer> {
    for (let piece = 0; ; piece += 1) {
      const found = await db
        .selectFrom('data_export_pieces')
        .select('data')
        .where('export_id', '=', exportId)
        .where('service', '=', service)
        .where('path', '=', path)
        .where('piece', '=', piece)
        .executeTakeFirst()
      if (found === undefined || found.data === null) return
      yield found.data
    }
  },

  /** The user can no longer be told of the export by mail: it has failed. */
  async mailFailed(id: string): Promise<void> {
    await db.transaction().execute((tx) => closeExports(tx, sql`id = ${id} and state = 'ready'`, 'failed'))
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

const isConfirmed = async (tx: Transaction<AuthTables>, userId: string): Promise<boolean> =>
  (await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('email_verified', '=', true)
    .executeTakeFirst()) !== undefined

const doneOf = (name: 'done' | 'total') =>
  sql<number>`(
    select count(*) from data_export_contributions where export_id = data_exports.id and (done or ${name === 'total'})
  )`.as(name)

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

const isAwaited = async (tx: Transaction<AuthTables>, exportId: string): Promise<boolean> =>
  (await tx
    .selectFrom('data_export_contributions')
    .select('service')
    .where('export_id', '=', exportId)
    .where('done', '=', false)
    .executeTakeFirst()) !== undefined
