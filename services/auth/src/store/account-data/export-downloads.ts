import { notFound } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import { type Account, findAccount } from '../account.ts'
import type { AuthTables } from '../tables.ts'
import { closeExports } from './data-export-end.ts'

/** A file of an export that is complete, in this many pieces. */
export interface ExportedFile {
  readonly service: string
  readonly path: string
  readonly pieces: number
}

/** An export's way out: its mailed link, and the files behind it. */
export const createExportDownloads = (db: Kysely<AuthTables>) => ({
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
  async files(exportId: string): Promise<ExportedFile[]> {
    const found = await sql<ExportedFile>`
      select service, path, count(*)::integer as pieces from data_export_pieces where export_id = ${exportId}
      group by service, path having bool_and(data is not null)
      order by service <> 'auth', service collate "C", path collate "C"
    `.execute(db)
    return found.rows
  },

  /**
   * The bytes of one file, piece by piece as they are taken.
   * @throws AppError not_found once the export has ended, which deletes its pieces: what is there of the file is not all of it
   */
  async *content(exportId: string, { service, path, pieces }: ExportedFile): AsyncGenerator<Buffer> {
    for (let piece = 0; piece < pieces; piece += 1) {
      const found = await db
        .selectFrom('data_export_pieces')
        .select('data')
        .where('export_id', '=', exportId)
        .where('service', '=', service)
        .where('path', '=', path)
        .where('piece', '=', piece)
        .executeTakeFirst()
      if (found === undefined || found.data === null) throw notFound()
      yield found.data
    }
  },

  /** The user can no longer be told of the export by mail: it has failed. */
  async mailFailed(id: string): Promise<void> {
    await db.transaction().execute((tx) => closeExports(tx, sql`id = ${id} and state = 'ready'`, 'failed'))
  },
})
