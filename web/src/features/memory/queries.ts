import type { Memory, MemoryCategory, MemoryConfidence } from '@parley/contracts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { apiQuery, endpoints, memoryKey, request } from '../../shared/api/index.ts'

/** A filter for memories; null and an empty query match everything. */
export interface MemoryFilter {
  /** Words that must all occur. */
  readonly query: string
  readonly category: MemoryCategory | null
  readonly confidence: MemoryConfidence | null
  /** Found in a chat, or written by the user. */
  readonly source: 'chat' | 'own' | null
}

export const noFilter: MemoryFilter = { query: '', category: null, confidence: null, source: null }

const pageSize = 50
/** The server's maximum. */
const maxPageSize = 200

const listKey = [...memoryKey, 'list'] as const
const suggestionsKey = [...memoryKey, 'suggestions'] as const

const pages = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor ?? undefined,
}

/** Stored memories, newest first, in pages. */
export const memoriesQuery = ({ query, category, confidence, source }: MemoryFilter) =>
  infiniteQueryOptions({
    queryKey: [...listKey, query, category, confidence, source],
    queryFn: ({ pageParam, signal }) =>
      request(endpoints.memories, {
        query: {
          limit: pageSize,
          cursor: pageParam,
          query: query || undefined,
          category: category ?? undefined,
          confidence: confidence ?? undefined,
          source: source ?? undefined,
        },
        signal,
      }),
    ...pages,
  })

/** All stored memories, newest first. Throws ApiError. */
export async function allMemories(): Promise<readonly Memory[]> {
  const all: Memory[] = []
  let cursor: string | undefined
  do {
    const page = await request(endpoints.memories, { query: { limit: maxPageSize, cursor } })
    all.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return all
}

/** Pending suggestions, newest first, in pages. */
export const suggestionsQuery = infiniteQueryOptions({
  queryKey: suggestionsKey,
  queryFn: ({ pageParam, signal }) =>
    request(endpoints.memorySuggestions, { query: { limit: pageSize, cursor: pageParam }, signal }),
  ...pages,
})

export const settingsQuery = apiQuery([...memoryKey, 'settings'], endpoints.memorySettings)

/** Statistics of decisions on suggestions. */
export const learningQuery = apiQuery([...memoryKey, 'profile'], endpoints.memoryProfile)

/** Earlier states of a memory, newest first. */
export const historyOfMemoryQuery = (id: string) =>
  apiQuery([...memoryKey, 'history', id], endpoints.memoryHistory, { params: { id } })

/** Pending suggestions and memories by the id of their message. */
export interface Traces {
  readonly suggested: Readonly<Record<string, number>>
  readonly stored: Readonly<Record<string, number>>
}

interface Sourced {
  readonly source?: { readonly messageId: string } | undefined
}

const countBySource = (items: readonly Sourced[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { source } of items) if (source) counts[source.messageId] = (counts[source.messageId] ?? 0) + 1
  return counts
}

/** The newest suggestions and memories found in chats, by the message they came from. */
export const tracesQuery = queryOptions({
  queryKey: [...memoryKey, 'traces'],
  queryFn: async ({ signal }): Promise<Traces> => {
    const query = { limit: maxPageSize }
    const [suggestions, memories] = await Promise.all([
      request(endpoints.memorySuggestions, { query, signal }),
      request(endpoints.memories, { query: { ...query, source: 'chat' }, signal }),
    ])
    return { suggested: countBySource(suggestions.items), stored: countBySource(memories.items) }
  },
  staleTime: 60_000,
})

/** Keys of the lists that are updated optimistically. */
export const listKeys = { memories: listKey, suggestions: suggestionsKey }
