import type { Logger } from '@parley/kit'
import { mergeOf } from './consolidate.ts'
import type { MemoryIndex } from './relevance/memory-index.ts'
import type { MemoryDocument } from './store/documents.ts'
import type { MemoryStore } from './store/memory-store.ts'

/**
 * Suggests merging a memory with similar ones if the user has turned that on. Best effort: never rejects.
 * Resolves to whether a merge was suggested.
 */
export type Consolidate = (ownerId: string, memory: MemoryDocument) => Promise<boolean>

export interface ConsolidatorDeps {
  readonly memories: Pick<MemoryStore, 'account' | 'suggest'>
  readonly index: MemoryIndex
  readonly log: Logger
}

/** Compares a memory with all of its user's memories in the index. */
export const createConsolidator =
  ({ memories, index, log }: ConsolidatorDeps): Consolidate =>
  async (ownerId, memory) => {
    try {
      const account = await memories.account(ownerId)
      if (account === undefined || !account.doc.settings.autoConsolidation) return false
      const merge = mergeOf(memory, (await index.of(account)).entries)
      return merge !== undefined && (await memories.suggest(ownerId, [merge])).length > 0
    } catch (error) {
      log.warn({ err: error }, 'the search for similar memories failed')
      return false
    }
  }
