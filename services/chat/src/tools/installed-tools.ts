import type { Cache } from '@parley/cache'
import { type Clock, createLimiter, type Logger } from '@parley/kit'
import type { PageFetcher } from '@parley/kit/egress'
import type { ChatServiceConfig } from '../config.ts'
import { createQuotes, type Quotes } from '../finance/quotes.ts'
import type { WatchlistStore } from '../store/watchlist-store.ts'
import { createExa } from './exa.ts'
import { createToolbox, type Toolbox } from './toolbox.ts'

/** The configuration of this installation's tools. */
export interface ToolDeps {
  readonly config: Pick<ChatServiceConfig, 'search' | 'quotes'>
  /** `fetch` to what the operator configured. */
  readonly fetch: typeof globalThis.fetch
  readonly pages: PageFetcher
  readonly cache: Cache
  readonly watchlists: WatchlistStore
  readonly log: Logger
  readonly now: Clock
}

/** The tools of this installation, and which of them it has. */
export interface InstalledTools {
  readonly toolbox: Toolbox
  readonly quotes: Quotes
  readonly available: { readonly webSearch: boolean; readonly finance: boolean }
}

/** Calls of the source of quotes that are under way at once, and that may wait. */
const quotesAtOnce = 4
const quotesWaiting = 200

/** Tools that open nothing until they are used. */
export function createInstalledTools({ config, fetch, pages, cache, watchlists, log, now }: ToolDeps): InstalledTools {
  const engine = config.search && createExa({ ...config.search, fetch })
  const source = config.quotes && { ...config.quotes, fetch }
  const quotes = createQuotes({ source, cache, limiter: createLimiter(quotesAtOnce, quotesWaiting), now })
  const available = { webSearch: engine !== undefined, finance: source !== undefined }
  const toolbox = createToolbox({ engine, pages, quotes, hasQuotes: available.finance, watchlists, log })
  return { toolbox, quotes, available }
}
