import { anonymousId } from '@parley/kit'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { BillingDatabase } from './schema.ts'

/** Erases users permanently. @param rowsAtOnce of one statement, whose time is limited: users have any number of rows */
export const createErasureStore = (db: Kysely<BillingDatabase>, rowsAtOnce = 5_000) => ({
  /**
   * Removes a user's account, holds and ledger, and anonymises their acts as an admin, including those in progress and later ones. Nothing
   * later creates an account for them. Idempotent.
   */
  async erase(userId: string): Promise<void> {
    const name = anonymousId(userId)
    // A separate transaction, so that the following statements see everything that was in progress.
    await sql`select note_erasure(${userId}, ${name})`.execute(db)
    // Acts in progress are awaited; from here on nobody reads or changes the account.
    await sql`select from accounts where user_id = ${userId} for update`.execute(db)
    for (const part of partsOf(userId, name, rowsAtOnce)) {
      while ((await changeSome(db, userId, part)) === rowsAtOnce);
    }
    await sql`select erase_user(${userId}, ${name})`.execute(db)
  },
})

/** Statements that each change a part of what users have most rows of. Holds go first: the money check compares what they lead to. */
const partsOf = (userId: string, name: string, limit: number): readonly RawBuilder<unknown>[] => [
  sql`delete from holds where generation_id in (select generation_id from holds where user_id = ${userId} limit ${limit})`,
  sql`delete from ledger where id in (select id from ledger where user_id = ${userId} limit ${limit})`,
  sql`delete from generations where generation_id in (
    select generation_id from generations where user_id = ${userId} limit ${limit})`,
  sql`update ledger set actor_id = ${name} where id in (select id from ledger where actor_id = ${userId} limit ${limit})`,
]

/** @returns the number of rows changed */
const changeSome = (db: Kysely<BillingDatabase>, userId: string, part: RawBuilder<unknown>): Promise<number> =>
  db.transaction().execute(async (tx) => {
    // The ledger is append-only for everything else.
    await sql`select set_config('billing.erasing', ${userId}, true)`.execute(tx)
    return Number((await part.execute(tx)).numAffectedRows)
  })
