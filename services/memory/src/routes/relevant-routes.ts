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

/** From the start of a look-up, for comparing meanings: a prompt waits 150 ms for memory in all, and words are ranked meanwhile. Milliseconds. */
const meaningMs = 125

/** What chat puts into a prompt. */
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
