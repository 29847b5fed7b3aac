import { type Kysely, sql } from 'kysely'
import { hasRow } from '../account.ts'
import type { AuthTables } from '../tables.ts'

const lifetimeHours = 24
/** How long a browser may enter the code of a registration. */
export const pendingSeconds = lifetimeHours * 3600

/** Lets a browser, known by the hash of its cookie, enter codes for this user. False when there is no such user any more. */
export async function allowPending(db: Kysely<AuthTables>, userId: string, hash: Buffer): Promise<boolean> {
  const allowed = await sql`
    insert into pending_sign_ins (hash, user_id, expires_at)
    select ${hash}, id, now() + make_interval(hours => ${lifetimeHours}) from users where id = ${userId} for key share
    returning 1
  `.execute(db)
  return allowed.rows.length > 0
}

/** Ends the right of one browser to enter codes for this user. False when it had none any more. */
export const endPending = (db: Kysely<AuthTables>, userId: string, hash: Buffer): Promise<boolean> =>
  hasRow(
    db
      .deleteFrom('pending_sign_ins')
      .where('hash', '=', hash)
      .where('user_id', '=', userId)
      .where('expires_at', '>', sql<Date>`now()`)
      .returning('hash'),
  )
