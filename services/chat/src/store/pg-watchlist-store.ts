import type { Kysely } from 'kysely'
import type { ChatTables } from './tables.ts'
import type { WatchlistStore } from './watchlist-store.ts'

/** The watchlist store on PostgreSQL. */
export function createPgWatchlistStore(db: Kysely<ChatTables>): WatchlistStore {
  return {
    async read(ownerId) {
      const row = await db.selectFrom('watchlists').select('symbols').where('owner_id', '=', ownerId).executeTakeFirst()
      return row?.symbols ?? []
    },
    async replace(ownerId, given) {
      const symbols = [...given]
      await db
        .insertInto('watchlists')
        .values({ owner_id: ownerId, symbols })
        .onConflict((conflict) => conflict.column('owner_id').doUpdateSet({ symbols }))
        .execute()
    },
  }
}
