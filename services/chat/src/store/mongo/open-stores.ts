import { inspectMongo, migrateMongo, openMongo } from '@parley/db/mongo'
import { createMongoDocuments } from '@parley/documents/mongo'
import { createGuestStore, guestBuckets } from '../guest-store.ts'
import type { ChatStores, ChatStoresOptions } from '../index.ts'
import { defaultSearchMemory, defaultSearchMs } from '../search-store.ts'
import { createWatchlistStore, watchlistDocuments } from '../watchlist-store.ts'
import { withoutErased } from '../without-erased.ts'
import { createMongoAbandonedStore } from './abandoned.ts'
import { createMongoChatStore } from './chats.ts'
import { createMongoErasureStore } from './erasures.ts'
import { createMongoFileStore } from './files.ts'
import { createMongoGenerationStore } from './generations.ts'
import { createMongoMessageStore } from './messages.ts'
import { mongoMigrations } from './migrations.ts'
import { createChatModels } from './models.ts'
import { openChatOutbox } from './outbox.ts'
import { createMongoSearchStore } from './search.ts'
import { createMongoSendStore } from './sends.ts'
import { createMongoTurns } from './turns.ts'
import { createMongoUsageStore } from './usage.ts'

/** Opens the stores on MongoDB, in the database that `url` names; connects in the background, as often as it takes. */
export function openMongoChatStores(options: ChatStoresOptions): ChatStores {
  const database = openMongo(options)
  const models = createChatModels(database.connection)
  const turns = createMongoTurns(models)
  const outbox = openChatOutbox(database, models)
  const watchlists = createMongoDocuments(database, watchlistDocuments)
  const parts = { models, turns, database, outbox }
  return withoutErased({
    chats: createMongoChatStore(parts),
    messages: createMongoMessageStore(parts),
    generations: createMongoGenerationStore(parts),
    abandoned: createMongoAbandonedStore(parts),
    search: createMongoSearchStore(
      models,
      options.searchMemory ?? defaultSearchMemory,
      options.searchMs ?? defaultSearchMs,
    ),
    sends: createMongoSendStore(models),
    guests: createGuestStore(createMongoDocuments(database, guestBuckets)),
    files: createMongoFileStore(parts),
    watchlists: createWatchlistStore(watchlists),
    usage: createMongoUsageStore(models),
    erasures: createMongoErasureStore(models, watchlists),
    outbox,
    migrate: () => migrateMongo({ ...options, steps: mongoMigrations }),
    ping: database.ping,
    inspect: () => inspectMongo(database, mongoMigrations),
    async close() {
      await outbox.close()
      await database.close()
    },
  })
}
