import type { ChatMode, ModelInfo } from '@parley/contracts'
import type { PageFetcher } from '@parley/kit/egress'
import type { Common } from '../common.ts'
import type { Quotes } from '../finance/quotes.ts'
import { tickersIn } from '../finance/ticker.ts'
import type { WatchlistStore } from '../store/watchlist-store.ts'
import type { SearchEngine } from './exa.ts'
import { createQuoteTool } from './quote-tool.ts'
import { createSearchTool, searchQuery } from './search-tool.ts'
import { type AnswerTools, noTools, type Tool } from './tool.ts'

/** What an answer may use, and for which text. */
export interface ToolRequest {
  readonly modes: readonly ChatMode[]
  /** The question, cleaned. */
  readonly question: string
  readonly ownerId: string
  readonly model: Pick<ModelInfo, 'supportsTools'>
}

/** The tools of this installation. */
export type Toolbox = ReturnType<typeof createToolbox>

export interface ToolboxDeps extends Pick<Common, 'log'> {
  /** Undefined when this installation has none. */
  readonly engine: SearchEngine | undefined
  readonly pages: PageFetcher
  readonly quotes: Quotes
  /** Whether a source of quotes is configured. */
  readonly hasQuotes: boolean
  readonly watchlists: WatchlistStore
}

/** Tickers to look up before the model is asked. */
const mostTickers = 8

/** Tools by the modes of a message: the web is searched and tickers are looked up in any case, and models with tools may do more of both. */
export function createToolbox({ engine, pages, quotes, hasQuotes, watchlists, log }: ToolboxDeps) {
  const followedBy = async (ownerId: string): Promise<readonly string[]> =>
    await watchlists.read(ownerId).catch((error: unknown) => {
      log.warn({ err: error }, 'a watchlist could not be read')
      return []
    })
  const search = ({ question }: ToolRequest): AnswerTools => {
    const tool = createSearchTool(engine, pages)
    const query = searchQuery(question)
    // Without a search engine the failed call says why nothing was searched.
    return {
      offered: engine === undefined ? [] : [tool],
      upFront: query === '' ? [] : [{ tool, parameters: { query } }],
    }
  }
  const finance = async ({ question, ownerId }: ToolRequest): Promise<AnswerTools> => {
    const tool: Tool = createQuoteTool(quotes)
    const symbols = tickersIn(question, await followedBy(ownerId), mostTickers)
    return { offered: hasQuotes ? [tool] : [], upFront: symbols.map((symbol) => ({ tool, parameters: { symbol } })) }
  }
  return {
    /** Never rejects: what cannot be prepared is left out. */
    async forAnswer(request: ToolRequest): Promise<AnswerTools> {
      const parts = [
        request.modes.includes('webSearch') ? search(request) : noTools,
        request.modes.includes('finance') ? await finance(request) : noTools,
      ]
      const offered = request.model.supportsTools ? parts.flatMap((part) => part.offered) : []
      return { offered, upFront: parts.flatMap(({ upFront }) => upFront) }
    },
  }
}
