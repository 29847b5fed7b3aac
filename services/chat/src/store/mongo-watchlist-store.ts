import { isDuplicateKey } from '@parley/db/mongo'
import type { ChatModels } from './mongo-models.ts'
import type { WatchlistStore } from './watchlist-store.ts'

/** The watchlist store on MongoDB. */
export function createMongoWatchlistStore({ watchlists }: Pick<ChatModels, 'watchlists'>): WatchlistStore {
  const replace = async (_id: string, symbols: readonly string[]): Promise<void> => {
    await watchlists.updateOne({ _id }, { $set: { symbols: [...symbols] } }, { upsert: true })
  }
  return {
    async read(ownerId) {
      const found = await watchlists.findById(ownerId).lean()
      return found?.symbols ?? []
    },
    async replace(ownerId, symbols) {
      await replace(ownerId, symbols).catch((error: unknown) => {
        // Of two first ones at once, one finds that the other was faster.
        if (!isDuplicateKey(error)) throw error
        return replace(ownerId, symbols)
      })
    },
  }
}
