import type { SearchResult } from '@parley/contracts'
import { z } from 'zod'
import { sanitizedText, shortened } from '../text/sanitize.ts'
import { ToolFailure, type ToolService } from './tool.ts'

/** A page that the search engine knows. */
export interface FoundPage extends Omit<SearchResult, 'summary'> {
  /** The page's text as the search engine has read it. */
  readonly text?: string
}

/** A search engine of the web. */
export type SearchEngine = ReturnType<typeof createExa>

/** The most bytes read of a response. */
const maxBytes = 4 * 1024 * 1024
const mostPages = 10
/** How much of a page's text is requested, in UTF-16 units: the most that one page may tell the model. */
const textLength = 6_000
/** A longer address is no page for people. */
const maxUrlLength = 1_000

const parsable = <T extends z.ZodType>(schema: T) => schema.nullish().catch(undefined)
const pageSchema = z.object({
  url: z.string(),
  title: parsable(z.string()),
  publishedDate: parsable(z.string()),
  author: parsable(z.string()),
  highlights: parsable(z.array(z.string())),
  score: parsable(z.number()),
  text: parsable(z.string()),
})
const answerSchema = z.object({ results: z.array(z.unknown()) })

/** Exa's search. */
export function createExa({ baseUrl, apiKey, fetch }: ToolService) {
  return {
    /**
     * The best pages first, ten at most.
     * @throws ToolFailure when it cannot be asked or answers nonsense
     */
    async search(query: string, signal: AbortSignal): Promise<readonly FoundPage[]> {
      const contents = { text: { maxCharacters: textLength }, highlights: { numSentences: 2, highlightsPerUrl: 1 } }
      const body = JSON.stringify({ query, numResults: mostPages, contents })
      const headers = { 'content-type': 'application/json', 'x-api-key': apiKey }
      const answer = await fetch(`${baseUrl.replace(/\/$/, '')}/search`, { method: 'POST', headers, body, signal })
        .then(readAnswer)
        .catch(() => undefined)
      if (answer === undefined) throw new ToolFailure('Web search failed')
      const parsed = answerSchema.safeParse(parseJson(answer))
      if (!parsed.success) throw new ToolFailure('Failed to parse search results')
      const pages = parsed.data.results.flatMap(readPage)
      if (pages.length === 0 && parsed.data.results.length > 0) throw new ToolFailure('Failed to parse search results')
      return pages.slice(0, mostPages)
    },
  }
}

/** Undefined for a refusal. @throws when too much comes, or the connection breaks */
async function readAnswer(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error('the answer of the search engine is too large')
    chunks.push(chunk)
  }
  return response.ok ? Buffer.concat(chunks).toString('utf8') : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller says that it could not be read.
    return undefined
  }
}

/** A page, or none when its address is not one that people may follow. */
function readPage(given: unknown): FoundPage[] {
  const { success, data } = pageSchema.safeParse(given)
  if (!success || data.url.length > maxUrlLength) return []
  const url = URL.parse(data.url)
  if (url === null || !/^https?:$/.test(url.protocol)) return []
  const domain = url.hostname.replace(/^www\./, '')
  const { publishedDate, author, highlights, score, text } = data
  return [
    {
      url: url.href,
      domain,
      title: plain(data.title ?? '', 150) || domain,
      ...(publishedDate && { publishedDate: plain(publishedDate, 40) }),
      ...(author && { author: plain(author, 80) }),
      ...(highlights?.[0] && { highlights: [plain(highlights[0], 250)] }),
      ...(typeof score === 'number' && { score }),
      ...(text && { text: sanitizedText(text.slice(0, textLength)) }),
    },
  ]
}

/** On one line, and no longer than this. */
const plain = (text: string, most: number): string =>
  shortened(
    sanitizedText(text.slice(0, 4 * most))
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  )
