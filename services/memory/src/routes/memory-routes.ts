import { type ImportedMemory, importedMemorySchema, type Locale, memoryRoutes } from '@parley/contracts'
import { acceptedLocale, actingUser, mount, notFound, validate } from '@parley/kit'
import type { IRouter } from 'express'
import type { Consolidate } from '../consolidator.ts'
import type { ImportedAs } from '../import-memories.ts'
import { pageOf, readCursor } from '../page.ts'
import type { SignalPending } from '../pending-changes.ts'
import { presentMemory } from '../present.ts'
import { folded } from '../relevance/words.ts'
import type { MemoryDocument } from '../store/documents.ts'
import type { MemoryStore } from '../store/memory-store.ts'

export interface MemoryRoutesDeps {
  readonly memories: MemoryStore
  readonly consolidate: Consolidate
  readonly signalPending: SignalPending
}

interface Filter {
  readonly query?: string | undefined
  readonly category?: string | undefined
  readonly confidence?: string | undefined
  readonly source?: 'chat' | 'own' | undefined
}

/** Routes for the caller's memories. */
export function addMemoryRoutes(router: IRouter, { memories, consolidate, signalPending }: MemoryRoutesDeps): void {
  mount(router, memoryRoutes.list, async ({ principal, query: { limit, cursor, ...filter } }) => {
    const { userId } = actingUser(principal)
    const part = { limit: limit + 1, after: readCursor(cursor), matches: matching(filter) }
    const { items, nextCursor } = pageOf(await memories.list(userId, 'stored', part), limit)
    return { body: { items: items.map(presentMemory), nextCursor } }
  })
  mount(router, memoryRoutes.add, async ({ principal, body }) => {
    const { userId } = actingUser(principal)
    const { text, category = 'general', source = null } = body
    const { memory, isNew, decided } = await memories.add(userId, { text: text.trim(), category, source })
    const merged = isNew && (await consolidate(userId, memory))
    if (decided || merged) await signalPending(userId)
    return { status: isNew ? 201 : 200, body: { memory: presentMemory(memory) } }
  })
  mount(router, memoryRoutes.importAll, async ({ principal, headers, body: { memories: entries, includeRemoved } }) => {
    const { userId } = actingUser(principal)
    const { valid, faults } = readEntries(entries, acceptedLocale(headers) ?? 'en')
    const { outcomes, decided } = await memories.importAll(userId, valid, includeRemoved)
    if (decided) await signalPending(userId)
    const count = (outcome: ImportedAs) => outcomes.filter((each) => each === outcome).length
    const [imported, known, removed, full] = [count('imported'), count('known'), count('removed'), count('full')]
    return { body: { imported, known, removed, full, faults } }
  })
  mount(router, memoryRoutes.change, async ({ principal, params, body: { text, category } }) => {
    const { userId } = actingUser(principal)
    const change = { text: text?.trim(), category }
    return { body: { memory: presentMemory(await memories.edit(userId, params.id, change)) } }
  })
  mount(router, memoryRoutes.history, async ({ principal, params }) => {
    const { userId } = actingUser(principal)
    const account = await memories.account(userId)
    const memory = await memories.find(userId, params.id)
    if (memory === undefined || !Object.values(account?.doc.stored ?? {}).includes(memory.id)) throw notFound()
    return { body: { items: [...memory.history].reverse() } }
  })
  mount(router, memoryRoutes.remove, async ({ principal, params, query: { forever } }) => {
    await memories.remove(actingUser(principal).userId, params.id, forever)
    return {}
  })
  mount(router, memoryRoutes.restore, async ({ principal, params }) => {
    return { body: { memory: presentMemory(await memories.restore(actingUser(principal).userId, params.id)) } }
  })
  mount(router, memoryRoutes.clear, async ({ principal }) => {
    return { body: { cleared: await memories.clear(actingUser(principal).userId) } }
  })
  mount(router, memoryRoutes.restoreCleared, async ({ principal }) => {
    return { body: { restored: await memories.restoreCleared(actingUser(principal).userId) } }
  })
}

/** The valid entries of a file, and the first fault of each invalid one. */
function readEntries(entries: readonly unknown[], locale: Locale) {
  const valid: ImportedMemory[] = []
  const faults: { entry: number; path: string; message: string }[] = []
  for (const [index, value] of entries.entries()) {
    const read = validate(importedMemorySchema, value, 'entry', locale)
    const [fault] = read.faults ?? []
    if (fault !== undefined) faults.push({ entry: index + 1, ...fault })
    else if (read.data !== undefined) valid.push(read.data)
  }
  return { valid, faults }
}

/** Matches memories with all words of the query anywhere in the text. */
function matching({ query = '', category, confidence, source }: Filter): (memory: MemoryDocument) => boolean {
  const words = folded(query).split(/\s+/)
  const hasWords = (text: string): boolean => words.every((word) => text.includes(word))
  return (memory) =>
    (category === undefined || memory.category === category) &&
    (confidence === undefined || memory.confidence === confidence) &&
    (source === undefined || (memory.source !== null) === (source === 'chat')) &&
    hasWords(folded(memory.text))
}
