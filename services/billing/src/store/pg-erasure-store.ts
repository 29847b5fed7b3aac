import { anonymousId } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { ErasureStore } from './erasure-store.ts'
import type { BillingDatabase } from './schema.ts'

/** Erases in PostgreSQL. */
export const createPgErasureStore = (db: Kysely<BillingDatabase>): ErasureStore => ({
  async erase(userId) {
    const name = anonymousId(userId)
    // A separate transaction, so that the following statements see everything that was in progress.
    await sql`select note_erasure(${userId}, ${name})`.execute(db)
    await sql`select erase_user(${userId}, ${name})`.execute(db)
  },
})
