import { type ExportFile, jsonLines } from '@parley/kit'
import { presentMemory, presentSuggestion } from './present.ts'
import { presentSettings } from './settings.ts'
import type { MemoryDocument } from './store/documents.ts'
import type { MemoryStore, Named } from './store/memory-store.ts'

/** A user's memories, deleted ones that can be restored, suggestions and settings, for an export. */
export async function* exportedFiles(
  memories: Pick<MemoryStore, 'account' | 'all'>,
  ownerId: string,
): AsyncGenerator<ExportFile> {
  const account = await memories.account(ownerId)
  if (account === undefined) return
  const file = (name: string, named: Named, present: (memory: MemoryDocument) => object): ExportFile => {
    return { path: `memory/${name}.json`, content: jsonLines(presented(memories.all(ownerId, named), present)) }
  }
  yield file('memories', 'stored', (memory) => ({ ...presentMemory(memory), history: memory.history }))
  yield file('suggestions', 'pending', (memory) => presentSuggestion(memory))
  yield file('deleted', 'deleted', (memory) => ({
    ...presentMemory(memory),
    status: 'deleted',
    deletedAt: account.doc.deleted[memory.id]?.at,
    history: memory.history,
  }))
  const { settings, seen, approved, rejected } = account.doc
  const rest = { settings: presentSettings(settings), suggestions: { seen, approved, rejected } }
  yield { path: 'memory/settings.json', content: [JSON.stringify(rest, null, 2)] }
}

async function* presented(
  memories: AsyncIterable<MemoryDocument>,
  present: (memory: MemoryDocument) => object,
): AsyncGenerator<object> {
  for await (const memory of memories) yield present(memory)
}
