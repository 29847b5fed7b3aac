import { type Kysely, sql } from 'kysely'
import type { NotifierTables } from './delivery-store.ts'

/** Removing what is kept of somebody. */
export const createErasureStore = (db: Kysely<NotifierTables>) => ({
  /**
   * Drops every mail to a user: nothing but the ids of their events is kept. One that is asked for later finds nobody at auth, and is dropped
   * then.
   */
  async erase(userId: string): Promise<void> {
    await sql`
      update deliveries set state = 'dropped', finished_at = coalesce(finished_at, now()), claimed_until = null,
        last_error = null, subject_id = null, user_id = null, about = null
      where user_id = ${userId}
    `.execute(db)
  },
})
