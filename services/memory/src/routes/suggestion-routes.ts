import { memoryRoutes } from '@parley/contracts'
import { acceptedLocale, actingUser, mount, notFound } from '@parley/kit'
import type { IRouter } from 'express'
import { pageOf, readCursor } from '../page.ts'
import { presentMemory, presentSuggestion } from '../present.ts'
import type { MemoryRoutesDeps } from './memory-routes.ts'

/** Routes for suggestions. */
export function addSuggestionRoutes(router: IRouter, { memories, consolidate, signalPending }: MemoryRoutesDeps): void {
  mount(router, memoryRoutes.suggestions, async ({ principal, headers, query: { limit, cursor } }) => {
    const { userId } = actingUser(principal)
    const locale = acceptedLocale(headers) ?? 'en'
    const part = { limit: limit + 1, after: readCursor(cursor) }
    const { items, nextCursor } = pageOf(await memories.list(userId, 'pending', part), limit)
    return { body: { items: items.map((memory) => presentSuggestion(memory, locale)), nextCursor } }
  })
  mount(router, memoryRoutes.approveAll, async ({ principal }) => {
    const { userId } = actingUser(principal)
    const approved = await memories.approveAll(userId)
    await signalPending(userId)
    return { body: { approved } }
  })
  mount(router, memoryRoutes.dismissAll, async ({ principal }) => {
    const { userId } = actingUser(principal)
    const dismissed = await memories.dismiss(userId, 'all')
    await signalPending(userId)
    return { body: { dismissed } }
  })
  mount(router, memoryRoutes.approve, async ({ principal, params, body: { text, category } }) => {
    const { userId } = actingUser(principal)
    const memory = await memories.approve(userId, params.id, { text: text?.trim(), category })
    if (memory.merges.length === 0) await consolidate(userId, memory)
    await signalPending(userId)
    return { body: { memory: presentMemory(memory) } }
  })
  mount(router, memoryRoutes.dismiss, async ({ principal, params }) => {
    const { userId } = actingUser(principal)
    if ((await memories.dismiss(userId, params.id)) === 0) throw notFound()
    await signalPending(userId)
    return {}
  })
}
