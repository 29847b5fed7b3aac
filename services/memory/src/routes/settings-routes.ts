import { memoryRoutes } from '@parley/contracts'
import { acceptedLocale, actingUser, mount, type NewId } from '@parley/kit'
import type { IRouter } from 'express'
import { profileOf } from '../learning-profile.ts'
import type { MemoryIndex } from '../relevance/memory-index.ts'
import { changeSettings, presentSettings } from '../settings.ts'
import { defaultStoredSettings, newAccount } from '../store/documents.ts'
import type { MemoryStore } from '../store/memory-store.ts'

export interface SettingsRoutesDeps {
  readonly memories: MemoryStore
  readonly index: MemoryIndex
  readonly newId: NewId
}

/** Routes for settings and the learning profile. */
export function addSettingsRoutes(router: IRouter, { memories, index, newId }: SettingsRoutesDeps): void {
  mount(router, memoryRoutes.settings, async ({ principal }) => {
    const account = await memories.account(actingUser(principal).userId)
    return { body: presentSettings(account?.doc.settings ?? defaultStoredSettings) }
  })
  mount(router, memoryRoutes.updateSettings, async ({ principal, body }) => {
    const { userId } = actingUser(principal)
    const before = (await memories.account(userId))?.doc.settings ?? defaultStoredSettings
    // Validate first, so that an invalid patch cannot fail other changes of the user that are decided in the same batch.
    changeSettings(before, body, newId)
    return { body: presentSettings(await memories.choose(userId, (settings) => changeSettings(settings, body, newId))) }
  })
  mount(router, memoryRoutes.profile, async ({ principal, headers }) => {
    const { userId } = actingUser(principal)
    const locale = acceptedLocale(headers) ?? 'en'
    const account = await memories.account(userId)
    if (account === undefined) return { body: profileOf(newAccount(userId), [], () => undefined, locale) }
    const { entries } = await index.of(account)
    const texts = new Map(entries.map(({ id, text }) => [id, text]))
    const named = account.doc.activity.flatMap(({ id }) => (id === null || texts.has(id) ? [] : [id]))
    for (const id of new Set(named)) {
      const memory = await memories.find(userId, id)
      if (memory !== undefined) texts.set(id, memory.text)
    }
    const stored = entries.map(({ text }) => text)
    return { body: profileOf(account.doc, stored, (id) => texts.get(id), locale) }
  })
}
