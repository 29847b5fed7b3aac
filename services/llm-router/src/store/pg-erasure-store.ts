import type { PostgresDatabase } from '@parley/db'
import { anonymousId } from '@parley/kit'
import { sql } from 'kysely'
import type { ErasureStore } from './erasure-store.ts'
import type { LlmRouterTables } from './tables.ts'

/** Erasing in PostgreSQL. */
export const createPgErasureStore = ({ db }: Pick<PostgresDatabase<LlmRouterTables>, 'db'>): ErasureStore => ({
  async erase(userId) {
    await sql`select erase_user(${userId}, ${anonymousId(userId)})`.execute(db)
  },
})
