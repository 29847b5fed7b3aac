import type { Memory, MemoryCategory } from '@parley/contracts'
import { apiFetch, endpoints, pathOf } from '../../shared/api/index.ts'

interface NewMemory {
  readonly text: string
  readonly category?: MemoryCategory
  readonly source?: Memory['source']
}

/** Stores a memory. `isNew` is false if the same text existed already: undo would then remove the old one. Throws ApiError. */
export async function addMemory(body: NewMemory): Promise<{ memory: Memory; isNew: boolean }> {
  const response = await apiFetch(pathOf(endpoints.addMemory, {}), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { memory } = (await response.json()) as { memory: Memory }
  return { memory, isNew: response.status === 201 }
}
