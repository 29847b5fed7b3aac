import type { Locale, Memory, MemorySuggestion } from '@parley/contracts'
import type { MemoryDocument } from './store/documents.ts'
import { memoryText } from './texts/memory-text.ts'

/** A memory in the API. */
export const presentMemory = (memory: MemoryDocument): Memory => ({
  id: memory.id,
  text: memory.text,
  category: memory.category,
  confidence: memory.confidence,
  status: 'stored',
  ...(memory.source && { source: memory.source }),
  createdAt: memory.createdAt.toISOString(),
  updatedAt: memory.updatedAt.toISOString(),
  lastUsedAt: memory.lastUsedAt?.toISOString() ?? null,
})

/** A suggestion in the API. */
export const presentSuggestion = (memory: MemoryDocument, locale: Locale = 'en'): MemorySuggestion => ({
  ...presentMemory(memory),
  status: 'pending',
  reason: memoryText(memory.reason ?? '', locale),
  ...(memory.merges.length > 0 && { merges: [...memory.merges] }),
})
