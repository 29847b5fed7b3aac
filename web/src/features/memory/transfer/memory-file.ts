import type { Memory, MemoryImportOutcome } from '@parley/contracts'
import { maxMemoryLength } from '@parley/contracts/memory-constants'

export const maxFileBytes = 32 * 1024 * 1024
/** Entries per call; the server's maximum. */
const entriesAtOnce = 500

/** An entry as sent to the server, which validates it. */
type Entry = Readonly<Record<string, unknown>> | null

/** The export file of these memories, one per line. */
export const memoryFileText = (memories: readonly Memory[]): string =>
  `[\n${memories.map((memory) => JSON.stringify(memory)).join(',\n')}\n]\n`

/** The entries of a file: a list of memories, or a page of the API; undefined for anything else. */
export function readEntries(text: string): readonly Entry[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const list = Array.isArray(read) ? read : (read as { items?: unknown } | null)?.items
    return Array.isArray(list) ? list.map(entryOf) : undefined
  } catch {
    return undefined
  }
}

/** The fields of an entry to import, and those that the server needs to refuse it. */
function entryOf(value: unknown): Entry {
  if (typeof value !== 'object' || value === null) return null
  const { id, text, category, confidence, createdAt, status } = value as Record<string, unknown>
  const kept = typeof text === 'string' ? text.slice(0, maxMemoryLength + 1) : text
  return { id, text: kept, category, confidence, createdAt, status }
}

/**
 * Imports entries in batches. Idempotent: entries imported by an earlier attempt are recognised.
 * @param send sends one batch; rejects with an ApiError
 * @param onProgress called with the number of finished entries
 */
export async function importEntries(
  entries: readonly Entry[],
  send: (part: readonly Entry[]) => Promise<MemoryImportOutcome>,
  onProgress: (done: number) => void,
): Promise<MemoryImportOutcome> {
  let sum: MemoryImportOutcome = { imported: 0, known: 0, removed: 0, full: 0, faults: [] }
  for (let from = 0; from < entries.length; from += entriesAtOnce) {
    onProgress(from)
    const came = await send(entries.slice(from, from + entriesAtOnce))
    sum = {
      imported: sum.imported + came.imported,
      known: sum.known + came.known,
      removed: sum.removed + came.removed,
      full: sum.full + came.full,
      faults: [...sum.faults, ...came.faults.map((fault) => ({ ...fault, entry: fault.entry + from }))],
    }
  }
  return sum
}
