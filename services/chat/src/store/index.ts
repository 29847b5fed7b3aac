import { fileURLToPath } from 'node:url'
import type { OutboxSource } from '@parley/bus'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import { createPgDocuments, preparePgDocuments } from '@parley/documents'
import type { Logger, StoreReport } from '@parley/kit'
import type { ChatStore } from './chat-store.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { FileStore } from './file-store.ts'
import type { AbandonedStore, GenerationStore } from './generation-store.ts'
import { createGuestStore, type GuestStore, guestBuckets } from './guest-store.ts'
import type { MessageStore } from './message-store.ts'
import { createPgAbandonedStore } from './pg-abandoned-store.ts'
import { createPgChatStore } from './pg-chat-store.ts'
import { createPgErasureStore } from './pg-erasure-store.ts'
import { createPgFileStore } from './pg-file-store.ts'
import { createPgGenerationStore } from './pg-generation-store.ts'
import { createPgMessageStore } from './pg-message-store.ts'
import { createPgSearchStore } from './pg-search-store.ts'
import { createPgSendStore } from './pg-send-store.ts'
import { createPgUsageStore } from './pg-usage-store.ts'
import { defaultSearchMemory, defaultSearchMs, type SearchMemory, type SearchStore } from './search-store.ts'
import type { SendStore } from './send-store.ts'
import type { ChatTables } from './tables.ts'
import type { UsageStore } from './usage-store.ts'
import { createWatchlistStore, type WatchlistStore, watchlistDocuments } from './watchlist-store.ts'
import { withoutErased } from './without-erased.ts'

/** All that chat keeps, over one engine. */
export interface ChatStores {
  readonly chats: ChatStore
  readonly messages: MessageStore
  readonly generations: GenerationStore
  readonly abandoned: AbandonedStore
  readonly search: SearchStore
  readonly sends: SendStore
  readonly guests: GuestStore
  readonly files: FileStore
  readonly watchlists: WatchlistStore
  readonly usage: UsageStore
  readonly erasures: ErasureStore
  readonly outbox: OutboxSource
  /** Brings the schema up to date; safe when several replicas do it. */
  migrate(): Promise<void>
  /** Rejects when the engine cannot be reached. */
  ping(): Promise<void>
  /** The state of the server, and the migrations that are due. */
  inspect(): Promise<StoreReport>
  /** Idempotent. */
  close(): Promise<void>
}

/** The addresses and the bounds of the stores. */
export interface ChatStoresOptions {
  readonly url: string
  readonly log: Logger
  /** 4 MB and 16 MB by default. */
  readonly searchMemory?: SearchMemory
  /** Milliseconds that one question of a search may take; 5 s by default. */
  readonly searchMs?: number
}

const schema = 'chat'
const dir = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Opens the stores on PostgreSQL, in the schema `chat` of the database at `url`; connects on demand. */
export function openChatStores(options: ChatStoresOptions): ChatStores {
  const { db, ping, close } = openPostgres<ChatTables>({ ...options, schema, max: 20 })
  const outbox = openPgOutbox({ ...options, schema })
  return withoutErased({
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
    outbox,
    async migrate() {
      await migrate({ ...options, schema, dir })
      await preparePgDocuments(db, [guestBuckets, watchlistDocuments])
    },
    ping,
    inspect: () => inspectPostgres({ ...options, schema, dir }),
    async close() {
      await outbox.close()
      await close()
    },
  })
}
