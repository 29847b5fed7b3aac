import type { SearchResult, ToolCall } from '@parley/contracts'
import { searchTool, type WebSearch } from '../../../../shared/message/answer-parts.ts'
import type { ToolCallUpdate } from '../../stream/answer-event.ts'

/** A call with an error is `error`, with a result `completed`, with parameters `running`, otherwise `pending`. */
export function toolStatus(call: Omit<ToolCallUpdate, 'toolName' | 'toolCallId'>): ToolCall['status'] {
  if (call.error !== undefined) return 'error'
  if (call.result !== undefined) return 'completed'
  return call.parameters === undefined ? 'pending' : 'running'
}

/** Applies an event about a tool call at time `at` (milliseconds since the epoch); calls are ordered by their first event. */
export function takeTool(calls: readonly ToolCall[], update: ToolCallUpdate, at: number): readonly ToolCall[] {
  const known = calls.find(({ toolCallId }) => toolCallId === update.toolCallId)
  const merged = { ...known, ...update, toolName: update.toolName || (known?.toolName ?? '') }
  const call: ToolCall = {
    ...merged,
    parameters: merged.parameters ?? {},
    status: toolStatus(merged),
    timestamp: known?.timestamp ?? new Date(at).toISOString(),
  }
  return known ? calls.map((one) => (one === known ? call : one)) : [...calls, call]
}

/**
 * Tracks a search through its tool call: it starts with the call, fails if the call fails without a page, and its result shows which pages
 * were read.
 */
export function followSearch(search: WebSearch | null, call: ToolCallUpdate): WebSearch | null {
  if (call.toolName !== searchTool) return search
  const query = typeof call.parameters?.query === 'string' ? call.parameters.query : (search?.query ?? '')
  const results = takePages(search, readPages(search, call.result)).results
  if (call.error !== undefined) return { query, results, stage: results.length > 0 ? 'done' : 'failed' }
  return { query, results, stage: call.result === undefined ? (search?.stage ?? 'searching') : 'done' }
}

/** The pages in a call's result, with what earlier calls have read of them. */
function readPages(search: WebSearch | null, result: unknown): SearchResult[] {
  const { results } = (result ?? {}) as { results?: unknown }
  const pages: readonly (Partial<SearchResult> | null)[] = Array.isArray(results) ? results : []
  const isRead = (url: string) => search?.results.some((known) => known.url === url && known.summary !== undefined)
  return pages.filter((page): page is SearchResult => typeof page?.url === 'string' && !isRead(page.url))
}

/** Adds found pages; a known URL is updated, because its summary arrives later. */
export function takePages(search: WebSearch | null, pages: readonly SearchResult[]): WebSearch {
  const results = search?.results ?? []
  const known = results.map((result) => pages.find(({ url }) => url === result.url) ?? result)
  const fresh = pages.filter(({ url }) => !results.some((result) => result.url === url))
  return { query: search?.query ?? '', results: [...known, ...fresh], stage: search?.stage ?? 'searching' }
}
