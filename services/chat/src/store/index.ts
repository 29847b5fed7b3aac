import type { OutboxSource } from '@parley/bus'
import type { Logger, Stores } from '@parley/kit'
import type { ChatStore } from './chat-store.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { FileStore } from './file-store.ts'
import type { AbandonedStore, GenerationStore } from './generation-store.ts'
import type { GuestStore } from './guest-store.ts'
import type { MessageStore } from './message-store.ts'
import type { SearchMemory, SearchStore } from './search-store.ts'
import type { SendStore } from './send-store.ts'
import type { UsageStore } from './usage-store.ts'
import type { WatchlistStore } from './watchlist-store.ts'

/** All stores of chat, on one engine. */
export interface ChatStores extends Stores {
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
