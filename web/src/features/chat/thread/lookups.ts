import type { SearchResult, ToolCall } from '@parley/contracts'
import type { ToolNews } from '../stream/answer-event.ts'
import type { WebSearch } from './thread-message.ts'

/** A call with an error is `error`, with a result `completed`, with parameters `running`, otherwise `pending`. */
export function toolStatus(call: Omit<ToolNews, 'toolName' | 'toolCallId'>): ToolCall['status'] {
  if (call.error !== undefined) return 'error'
  if (call.result !== undefined) return 'completed'
  return call.parameters === undefined ? 'pending' : 'running'
}

/** Takes in what an event tells of a call, heard at `at` (milliseconds since the epoch); calls stand in the order of their first event. */
export function takeTool(calls: readonly ToolCall[], news: ToolNews, at: number): readonly ToolCall[] {
  const known = calls.find(({ toolCallId }) => toolCallId === news.toolCallId)
  const told = { ...known, ...news, toolName: news.toolName || (known?.toolName ?? '') }
  const call: ToolCall = {
    ...told,
    parameters: told.parameters ?? {},
    status: toolStatus(told),
    timestamp: known?.timestamp ?? new Date(at).toISOString(),
  }
  return known ? calls.map((one) => (one === known ? call : one)) : [...calls, call]
}

/** Name of the tool by which an answer looks something up on the web. */
const searchTool = 'web_search'

/** Follows a search by its tool's call: it begins with the call, and has failed when the call did without a page. */
export function followSearch(search: WebSearch | null, call: ToolNews): WebSearch | null {
  if (call.toolName !== searchTool) return search
  const query = typeof call.parameters?.query === 'string' ? call.parameters.query : (search?.query ?? '')
  const results = search?.results ?? []
  if (call.error !== undefined) return { query, results, stage: results.length > 0 ? 'done' : 'failed' }
  return { query, results, stage: call.result === undefined ? (search?.stage ?? 'searching') : 'done' }
}

/** Adds pages that were found; one that is known by its address is taken over, as its summary comes later. */
export function takePages(search: WebSearch | null, pages: readonly SearchResult[]): WebSearch {
  const results = search?.results ?? []
  const known = results.map((result) => pages.find(({ url }) => url === result.url) ?? result)
  const fresh = pages.filter(({ url }) => !results.some((result) => result.url === url))
  return { query: search?.query ?? '', results: [...known, ...fresh], stage: search?.stage ?? 'searching' }
}
