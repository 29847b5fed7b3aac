import { memoryInternalRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import type { MemoryIndex } from '../relevance/memory-index.ts'
import { rank } from '../relevance/rank.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import type { FindSimilar } from '../vectors/similar-memories.ts'

export interface RelevantRoutesDeps {
  readonly memories: Pick<MemoryStore, 'account'>
  readonly index: MemoryIndex
  readonly findSimilar: FindSimilar
}

/** Time for the semantic comparison, in milliseconds: chat waits 150 ms for the whole look-up. */
const meaningMs = 125

/** The route that selects memories for chat's prompts. */
export function addRelevantRoutes(router: IRouter, { memories, index, findSimilar }: RelevantRoutesDeps): void {
  mount(router, memoryInternalRoutes.relevant, async ({ body: { userId, message, maxTokens } }) => {
    const endAt = performance.now() + meaningMs
    const account = await memories.account(userId)
    if (account === undefined || !account.doc.settings.enabled) return { body: { memories: [] } }
    const [words, similarities] = await Promise.all([
      index.of(account),
      findSimilar(account, message, Math.max(1, endAt - performance.now())),
    ])
    return { body: { memories: [...rank(words, { message, similarities, maxTokens })] } }
  })
}
