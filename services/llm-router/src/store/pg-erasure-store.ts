import type { PostgresDatabase } from '@parley/db'
import { anonymousId } from '@parley/kit'
import { sql } from 'kysely'
import type { LlmRouterTables } from './tables.ts'

/**
 * Erases users permanently, and anonymises them on the models that they changed, including changes in progress. A user is first anonymised for
 * later acts, then on each model separately: holding one lock while waiting for the other would deadlock with the admin's own changes, which
 * lock a model and wait for the name.
 */
export const createPgErasureStore = ({ db }: Pick<PostgresDatabase<LlmRouterTables>, 'db'>) => ({
  async erase(userId: string): Promise<void> {
    const name = anonymousId(userId)
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('llm-router.erase:' || ${userId}::text, 0))`.execute(tx)
      await sql`
        insert into erased_users (id_hash, name) values (user_hash(${userId}), ${name}) on conflict do nothing
      `.execute(tx)
    })
    await sql`delete from idempotent_requests where user_id = ${userId}`.execute(db)
    await sql`delete from stored_responses where user_id = ${userId}`.execute(db)
    const { rows } = await sql<{ id: string }>`select id from models where updated_by = ${userId}`.execute(db)
    for (const { id } of rows) {
      await sql`update models set updated_by = ${name} where id = ${id} and updated_by = ${userId}`.execute(db)
    }
  },
})
