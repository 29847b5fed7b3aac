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

/** What the functions of the migrations raise for a user who was erased. */
const erasedCode = 'PE001'

/** The result of an act on an account, or of `instead` when its user was erased. */
export async function unlessErased<Result>(act: () => Promise<Result>, instead: () => Result): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === erasedCode) return instead()
    throw error
  }
}
