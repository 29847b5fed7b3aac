import { anonymousId } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { BillingDatabase } from './schema.ts'

/** Erases users permanently. */
export interface ErasureStore {
  /**
   * Removes a user's account, holds and ledger in one act, and anonymises their acts as an admin, including those in progress
   * and later ones. Nothing later creates an account for them. Idempotent.
   */
  erase(userId: string): Promise<void>
}

/** Erases in PostgreSQL. */
export const createErasureStore = (db: Kysely<BillingDatabase>): ErasureStore => ({
  async erase(userId) {
    const name = anonymousId(userId)
    // A separate transaction, so that the following statements see everything that was in progress.
    await sql`select note_erasure(${userId}, ${name})`.execute(db)
    await sql`select erase_user(${userId}, ${name})`.execute(db)
  },
})
