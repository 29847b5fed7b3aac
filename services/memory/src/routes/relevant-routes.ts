import { memoryInternalRoutes } from '@parley/contracts'
import { mount } from '@parley/kit'
import type { IRouter } from 'express'
import type { MemoryIndex } from '../relevance/memory-index.ts'
import { rank } from '../relevance/rank.ts'
import type { MemoryStore } from '../store/memory-store.ts'

export interface RelevantRoutesDeps {
  readonly memories: Pick<MemoryStore, 'account'>
  readonly index: MemoryIndex
}

/** What chat puts into a prompt. */
export function addRelevantRoutes(router: IRouter, { memories, index }: RelevantRoutesDeps): void {
  mount(router, memoryInternalRoutes.relevant, async ({ body: { userId, message, maxTokens } }) => {
    const account = await memories.account(userId)
    if (account === undefined || !account.doc.settings.enabled) return { body: { memories: [] } }
    return { body: { memories: [...rank(await index.of(account), message, maxTokens)] } }
  })
}
