import { type Kysely, sql } from 'kysely'
import { sweepSigningKeys } from './sessions/signing-key-store.ts'
import type { AuthTables } from './tables.ts'

/** Deletes the sessions that ended a week ago. Exported for the test of its plan. */
export const deleteOverSessions = (db: Kysely<AuthTables>) =>
  db.deleteFrom('sessions').where(sql<boolean>`least(ended_at, expires_at) < now() - interval '7 days'`)

/** Deletes rows that are of no use any more. */
export const createSweepStore = (db: Kysely<AuthTables>) => ({
  /**
   * Sessions a week after their end with their tokens, budgets of attempts that start over, sign-ons that were not finished, expired browsers,
   * verifications and changes of address after 30 days, links for a new password after a day, expired signing keys.
   */
  async sweep(): Promise<void> {
    await deleteOverSessions(db).execute()
    await sql`delete from pending_sign_ins where expires_at < now()`.execute(db)
    await sql`delete from oauth_requests where expires_at < now()`.execute(db)
    await sql`delete from oauth_links where expires_at < now()`.execute(db)
    await sql`
      delete from sign_in_tries where key in (
        select key from sign_in_tries where resets_at < now() for update skip locked
      )
    `.execute(db)
    await sql`delete from code_tries where at < now() - interval '1 day'`.execute(db)
    await sql`delete from verifications where closed_at < now() - interval '30 days'`.execute(db)
    await sql`delete from password_resets where created_at < now() - interval '1 day'`.execute(db)
    await sweepSigningKeys(db)
    await sql`delete from email_changes where at < now() - interval '30 days'`.execute(db)
  },
})
