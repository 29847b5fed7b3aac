import type { Subscription } from '@parley/bus'
import { contributeToExport, type ExportFile, jsonLines, type NewId, type ServiceClient } from '@parley/kit'
import { presentMemory, presentSuggestion } from './present.ts'
import { presentSettings } from './settings.ts'
import type { MemoryStore } from './store/memory-store.ts'

export interface ExportDeps {
  readonly stores: { readonly memories: Pick<MemoryStore, 'account' | 'list'> }
  readonly client: Pick<ServiceClient, 'call'>
  readonly newId: NewId
}

const everything = { limit: Number.POSITIVE_INFINITY }

/** Contributes the user's memories, deleted ones that can be restored, suggestions and settings. If this fails for good, auth requests them again with a new event. */
export const exportSubscription = ({ stores, client, newId }: ExportDeps): Subscription => ({
  group: 'memory.data-exports',
  handlers: {
    'auth.data-export-requested': ({ data: { userId, exportId } }) =>
      contributeToExport({ client, service: 'memory', exportId, newId }, filesOf(stores.memories, userId)),
  },
})

async function* filesOf(memories: Pick<MemoryStore, 'account' | 'list'>, ownerId: string): AsyncGenerator<ExportFile> {
  const account = await memories.account(ownerId)
  if (account === undefined) return
  const stored = await memories.list(ownerId, 'stored', everything)
  const withHistory = stored.map((memory) => ({ ...presentMemory(memory), history: memory.history }))
  yield { path: 'memory/memories.json', content: jsonLines(withHistory) }
  const pending = await memories.list(ownerId, 'pending', everything)
  yield { path: 'memory/suggestions.json', content: jsonLines(pending.map((memory) => presentSuggestion(memory))) }
  const deleted = await memories.list(ownerId, 'deleted', everything)
  const withTime = deleted.map((memory) => ({
    ...presentMemory(memory),
    status: 'deleted',
    deletedAt: account.doc.deleted[memory.id]?.at,
    history: memory.history,
  }))
  yield { path: 'memory/deleted.json', content: jsonLines(withTime) }
  const { settings, seen, approved, rejected } = account.doc
  const rest = { settings: presentSettings(settings), suggestions: { seen, approved, rejected } }
  yield { path: 'memory/settings.json', content: [JSON.stringify(rest, null, 2)] }
}
