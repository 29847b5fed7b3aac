import { type Kysely, sql } from 'kysely'
import type { NotifierTables } from './delivery-store.ts'

/** Erases the data of a user. */
export const createErasureStore = (db: Kysely<NotifierTables>) => ({
  /**
   * Drops every mail to a user and keeps only the ids of their events. A mail queued later is dropped, too, since auth no longer knows the recipient.
   */
  async erase(userId: string): Promise<void> {
    await sql`
      update deliveries set state = 'dropped', finished_at = coalesce(finished_at, now()), claimed_until = null,
        last_error = null, subject_id = null, user_id = null, about = null
      where user_id = ${userId}
    `.execute(db)
  },
})
