import { inspectMongo, migrateMongo, openMongo, openMongoOutbox } from '@parley/db/mongo'
import { createMongoDocuments } from '@parley/documents/mongo'
import { createGuestStore, guestBuckets } from './guest-store.ts'
import type { ChatStores, ChatStoresOptions } from './index.ts'
import { createMongoAbandonedStore } from './mongo-abandoned-store.ts'
import { createMongoChatStore } from './mongo-chat-store.ts'
import { createMongoErasureStore } from './mongo-erasure-store.ts'
import { createMongoFileStore } from './mongo-file-store.ts'
import { createMongoGenerationStore } from './mongo-generation-store.ts'
import { createMongoMessageStore } from './mongo-message-store.ts'
import { mongoMigrations } from './mongo-migrations.ts'
import { createChatModels } from './mongo-models.ts'
import { createMongoSearchStore } from './mongo-search-store.ts'
import { createMongoSendStore } from './mongo-send-store.ts'
import { createMongoTurns } from './mongo-turns.ts'
import { createMongoUsageStore } from './mongo-usage-store.ts'
import { defaultSearchMemory, defaultSearchMs } from './search-store.ts'
import { createWatchlistStore, watchlistDocuments } from './watchlist-store.ts'
import { withoutErased } from './without-erased.ts'

/** Opens the stores on MongoDB, in the database that `url` names; connects in the background, as often as it takes. */
export function openMongoChatStores(options: ChatStoresOptions): ChatStores {
  const database = openMongo(options)
  const models = createChatModels(database.connection)
  const turns = createMongoTurns(models)
  const outbox = openMongoOutbox(database, models.messages.collection.name)
  const watchlists = createMongoDocuments(database, watchlistDocuments)
  const parts = { models, turns, database, outbox }
  return withoutErased({
    chats: createMongoChatStore(models, turns),
    messages: createMongoMessageStore(models, turns),
    generations: createMongoGenerationStore(parts),
    abandoned: createMongoAbandonedStore(parts),
    search: createMongoSearchStore(
      models,
      options.searchMemory ?? defaultSearchMemory,
      options.searchMs ?? defaultSearchMs,
    ),
    sends: createMongoSendStore(models),
    guests: createGuestStore(createMongoDocuments(database, guestBuckets)),
    files: createMongoFileStore(models),
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
