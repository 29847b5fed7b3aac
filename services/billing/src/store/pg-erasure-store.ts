import { anonymousId } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { ErasureStore } from './erasure-store.ts'
import type { BillingDatabase } from './schema.ts'

/** Erasing in PostgreSQL. */
export const createPgErasureStore = (db: Kysely<BillingDatabase>): ErasureStore => ({
  async erase(userId) {
    const name = anonymousId(userId)
    // On its own, so that all of what was under way is seen by what comes next.
    await sql`select note_erasure(${userId}, ${name})`.execute(db)
    await sql`select erase_user(${userId}, ${name})`.execute(db)
  },
})
