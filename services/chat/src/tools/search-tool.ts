import type { SearchResult } from '@parley/contracts'
import type { PageFetcher } from '@parley/kit/egress'
import { webSearchName } from '../generation/search-of.ts'
import { framed } from '../text/frame.ts'
import { shortened } from '../text/sanitize.ts'
import type { FoundPage, SearchEngine } from './exa.ts'
import { pageText, readableTypes } from './page-text.ts'
import { maxMaterialLength, maxResultLength, type Tool, ToolFailure, type ToolOutcome, type ToolRun } from './tool.ts'

/** Longest query, in UTF-16 units. */
const maxQueryLength = 400
const pagesToRead = 5
/** Time-out for one page. */
const reading = { maxBytes: 5 * 1024 * 1024, timeoutMs: 10_000 }
const summaryLength = 280

/** A query as the search engine takes it: one line, not too long. */
export const searchQuery = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, maxQueryLength).toWellFormed()

/**
 * The tool that searches the web for one answer and reads the best pages. Pages are numbered over all searches of the answer in the order in which
 * they are told of; only those that were read may be cited.
 * @param engine undefined when this installation has none
 */
export function createSearchTool(engine: SearchEngine | undefined, pages: PageFetcher): Tool {
  const numbers = new Map<string, number>()
  return {
    spec: {
      name: webSearchName,
      description:
        'Searches the web and reads the best pages. Use it when what the user asks needs facts that are recent or that you are not sure of.',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: 'What to search for, in a few words' } },
        required: ['query'],
        additionalProperties: false,
      },
    },
    parse(given) {
      const query = (given as { query?: unknown } | null)?.query
      const words = typeof query === 'string' ? searchQuery(query) : ''
      if (words === '') throw new ToolFailure('A search needs a query.')
      return { query: words }
    },
    async run({ query }, run) {
      if (engine === undefined) throw new ToolFailure('Web search isn’t available here.')
      const found = await engine.search(String(query), run.signal)
      for (const { url, title, domain } of found) {
        if (numbers.has(url)) continue
        numbers.set(url, numbers.size + 1)
        run.emit({ web_search_url: url, title, domain })
      }
      if (found.length > 0) run.emit({ url_content_processing: true })
      const read = await Promise.all(found.slice(0, pagesToRead).map((page) => readPage(pages, page, run)))
      return outcomeOf(found, read, numbers)
    },
  }
}

/** Its text; '' when it cannot be had: the others are enough. */
async function readPage(pages: PageFetcher, page: FoundPage, { signal }: ToolRun): Promise<string> {
  const fetched = await pages
    .fetch(page.url, { accept: readableTypes, ...reading, signal })
    .then(pageText)
    // Many sites refuse programs; the search engine has read most of them.
    .catch(() => '')
  return fetched === '' ? (page.text ?? '').trim() : fetched
}

function outcomeOf(
  found: readonly FoundPage[],
  texts: readonly string[],
  numbers: ReadonlyMap<string, number>,
): ToolOutcome {
  const read = texts.filter((text) => text !== '').length
  if (found.length === 0) {
    return { result: { results: [] }, resultNormalized: 'No results.', material: 'The search found nothing.' }
  }
  return {
    result: { results: fitting(found.map((page, index) => resultOf(page, texts[index] ?? ''))) },
    resultNormalized: `${found.length} pages found, ${read} read.`,
    material: materialOf(found, texts, numbers),
  }
}

function resultOf({ text: _text, ...page }: FoundPage, text: string): SearchResult {
  const summary = shortened(text.replace(/\s+/g, ' ').trim(), summaryLength)
  return { ...page, ...(summary !== '' && { summary }) }
}

/** As many pages as one result may hold. */
function fitting(results: readonly SearchResult[]): readonly SearchResult[] {
  const kept = [...results]
  while (JSON.stringify({ results: kept }).length > maxResultLength) kept.pop()
  return kept
}

function materialOf(
  found: readonly FoundPage[],
  texts: readonly string[],
  numbers: ReadonlyMap<string, number>,
): string {
  const readPages = found.flatMap((page, index) => (texts[index] ? [{ page, text: texts[index] }] : []))
  if (readPages.length === 0) return 'Pages were found, but none of them could be read. Cite none.'
  const each = Math.floor((maxMaterialLength - 1_000) / readPages.length) - 300
  const sources = readPages.map(({ page, text }) => {
    const about = { number: String(numbers.get(page.url)), title: page.title, site: page.domain }
    return framed('source', about, text.slice(0, each).toWellFormed())
  })
  return `What was read of the pages that were found:\n${sources.join('\n')}\nCite only these, as [number].`
}
