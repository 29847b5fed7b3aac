import { openPgStores } from '@parley/db'
import { createPgDocuments, preparePgDocuments } from '@parley/documents'
import { createGuestStore, guestBuckets } from '../guest-store.ts'
import type { ChatStores, ChatStoresOptions } from '../index.ts'
import { defaultSearchMemory, defaultSearchMs } from '../search-store.ts'
import { createWatchlistStore, watchlistDocuments } from '../watchlist-store.ts'
import { withoutErased } from '../without-erased.ts'
import { createPgAbandonedStore } from './abandoned.ts'
import { createPgChatStore } from './chats.ts'
import { createPgErasureStore } from './erasures.ts'
import { createPgFileStore } from './files.ts'
import { createPgGenerationStore } from './generations.ts'
import { createPgMessageStore } from './messages.ts'
import { createPgSearchStore } from './search.ts'
import { createPgSendStore } from './sends.ts'
import type { ChatTables } from './tables.ts'
import { createPgUsageStore } from './usage.ts'

const schema = 'chat'
const migrations = new URL('../../../migrations', import.meta.url)

/** Opens the stores on PostgreSQL, in the schema `chat` of the database at `url`; connects on demand. */
export function openPgChatStores(options: ChatStoresOptions): ChatStores {
  const { postgres, common } = openPgStores<ChatTables>({ ...options, schema, migrations, max: 20 })
  const { db } = postgres
  return withoutErased({
    ...common,
    chats: createPgChatStore(db),
    messages: createPgMessageStore(db),
    generations: createPgGenerationStore(db),
    abandoned: createPgAbandonedStore(db),
    search: createPgSearchStore(db, options.searchMemory ?? defaultSearchMemory, options.searchMs ?? defaultSearchMs),
    sends: createPgSendStore(db),
    guests: createGuestStore(createPgDocuments(db, guestBuckets)),
    files: createPgFileStore(db),
    watchlists: createWatchlistStore(createPgDocuments(db, watchlistDocuments)),
    usage: createPgUsageStore(db),
    erasures: createPgErasureStore(db),
    async migrate() {
      await common.migrate()
      await preparePgDocuments({ ...options, schema }, [guestBuckets, watchlistDocuments])
    },
  })
}
