import { erasedHash } from '@parley/kit'
import { type Kysely, sql } from 'kysely'
import type { ErasureStore } from '../erasure-store.ts'
import type { ChatTables } from './tables.ts'

/** Rows of one step; files are large. */
const steps = [
  // Chats go first: nothing is added to one that is gone.
  { table: 'chats', key: 'id', rows: 500 },
  { table: 'messages', key: 'id', rows: 500 },
  { table: 'search_segments', key: 'id', rows: 100 },
  { table: 'sends', key: 'id', rows: 500 },
  { table: 'files', key: 'id', rows: 20 },
  { table: 'watchlists', key: 'owner_id', rows: 1 },
  // Last, as it counts what goes with each step.
  { table: 'owner_usage', key: 'owner_id', rows: 1 },
] as const

/** Erasing on PostgreSQL. */
export const createPgErasureStore = (db: Kysely<ChatTables>): ErasureStore => ({
  async erase(ownerId) {
    await db
      .insertInto('erased_owners')
      .values({ id_hash: erasedHash(ownerId) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (const step of steps) while (await hasSome(db, step, ownerId)) await deleteSome(db, step, ownerId)
  },
  async isErased(ownerId) {
    const found = await db
      .selectFrom('erased_owners')
      .select('id_hash')
      .where('id_hash', '=', erasedHash(ownerId))
      .executeTakeFirst()
    return found !== undefined
  },
})

type Step = (typeof steps)[number]

/** Looked up again each time: a step that waited for another writer may have deleted none. */
async function hasSome(db: Kysely<ChatTables>, { table }: Step, ownerId: string): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} where owner_id = ${ownerId} limit 1`.execute(db)
  return rows.length > 0
}

/** By key, not by `ctid`: a concurrent update moves a row. */
async function deleteSome(db: Kysely<ChatTables>, { table, key, rows }: Step, ownerId: string): Promise<void> {
  await sql`
    delete from ${sql.table(table)} where ${sql.ref(key)} = any(array(
      select ${sql.ref(key)} from ${sql.table(table)} where owner_id = ${ownerId} limit ${sql.lit(rows)} for update
    ))
  `.execute(db)
}
