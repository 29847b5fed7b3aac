import type { Attachment, SearchResult, ToolCall } from '@parley/contracts'

/** Name of the tool by which an answer looks something up on the web. */
export const searchTool = 'web_search'

/** What an answer looked up on the web. */
export interface WebSearch {
  /** What was searched for; empty while unknown. */
  readonly query: string
  /** Only pages with a `summary` were really read. */
  readonly results: readonly SearchResult[]
  readonly stage: 'searching' | 'reading' | 'done' | 'failed'
}

/** What is drawn of a message, in a chat or anywhere else. */
export interface AnswerParts {
  readonly content: string
  readonly reasoning: string
  /** How long it thought; null while it still does, or when nobody measured. */
  readonly thinkingMs: number | null
  /** Null when nothing was looked up. */
  readonly webSearch: WebSearch | null
  readonly toolCalls: readonly ToolCall[]
  /** Files that came with a user's message, or images that an answer made. */
  readonly attachments: readonly Attachment[]
}
