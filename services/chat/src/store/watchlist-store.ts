import type { Collection, Documents } from '@parley/documents'
import { z } from 'zod'

/** The tickers that users follow. Every act is atomic and on disk when it resolves. */
export type WatchlistStore = ReturnType<typeof createWatchlistStore>

interface Watchlist {
  /** The owner's. */
  readonly id: string
  readonly symbols: readonly string[]
}

/** The watchlists. */
export const watchlistDocuments: Collection<Watchlist> = {
  name: 'watchlists',
  schema: z.looseObject({ id: z.string(), symbols: z.array(z.string()) }),
  indexes: {},
}

/** Watchlists over documents, one for each owner. */
export function createWatchlistStore(watchlists: Documents<Watchlist>) {
  const replace = async (id: string, symbols: readonly string[]): Promise<void> => {
    if (await watchlists.patch(id, {}, { symbols })) return
    const [kept] = await watchlists.insertOnce([{ id, symbols }])
    if (!kept?.isNew) await replace(id, symbols)
  }
  return {
    /** Replaces the whole list; of concurrent calls the last one wins. */
    replace,
    /** In the order that the user chose; empty for a user who follows none. */
    read: async (ownerId: string): Promise<readonly string[]> => (await watchlists.get(ownerId))?.doc.symbols ?? [],
  }
}
