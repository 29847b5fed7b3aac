import { type SearchResult, type StreamEvent, searchResultSchema } from '@parley/contracts'
import { z } from 'zod'
import type { WebSearch } from '../store/entities.ts'

/** Name of the tool that searches the web; its result is `searchAnswerSchema`. */
export const webSearchName = 'web_search'
/** The result of a web search. */
const searchAnswerSchema = z.object({ results: z.array(searchResultSchema) })

/**
 * What was searched for and found, out of an answer's events: every page in the order of its event, with what was read of it. Null when
 * nothing was searched.
 */
export function searchOf(events: readonly StreamEvent[]): WebSearch | null {
  let query: string | undefined
  const found = new Map<string, SearchResult>()
  for (const event of events) {
    if ('tool_call_start' in event && event.tool_call_start.toolName === webSearchName) {
      query ??= String(event.tool_call_start.parameters.query ?? '')
    } else if ('web_search_url' in event) {
      const { web_search_url: url, title, domain } = event
      if (!found.has(url)) found.set(url, { title, url, domain })
    } else if ('tool_call_result' in event && event.tool_call_result.toolName === webSearchName) {
      const { success, data } = searchAnswerSchema.safeParse(event.tool_call_result.result)
      for (const result of success ? data.results : []) {
        if (found.get(result.url)?.summary === undefined) found.set(result.url, result)
      }
    }
  }
  return query === undefined ? null : { query, results: [...found.values()] }
}
