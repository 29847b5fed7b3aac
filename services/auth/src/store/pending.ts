import { type Kysely, sql } from 'kysely'
import type { AuthTables } from './tables.ts'

const lifetimeHours = 24
/** How long a browser may enter the code of a registration. */
export const pendingSeconds = lifetimeHours * 3600

/** Lets a browser, known by the hash of its cookie, enter codes for this user. */
export async function allowPending(db: Kysely<AuthTables>, userId: string, hash: Buffer): Promise<void> {
  await sql`
    insert into pending_sign_ins (hash, user_id, expires_at)
    values (${hash}, ${userId}, now() + make_interval(hours => ${lifetimeHours}))
  `.execute(db)
}
