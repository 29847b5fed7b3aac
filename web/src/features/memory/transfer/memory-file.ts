import type { Memory, MemoryImportOutcome } from '@parley/contracts'
import { maxMemoryLength } from '../categories.ts'

/** Bytes that a file may have. */
export const maxFileBytes = 32 * 1024 * 1024
/** Entries of one call; the server's most. */
const entriesAtOnce = 500

/** An entry as the server takes it, which judges it. */
type Entry = Readonly<Record<string, unknown>> | null

/** The text of a file with these memories, one in a line. */
export const memoryFileText = (memories: readonly Memory[]): string =>
  `[\n${memories.map((memory) => JSON.stringify(memory)).join(',\n')}\n]\n`

/** The entries of a file: a list of memories, or a page of the API; undefined when it is neither. */
export function readEntries(text: string): readonly Entry[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const list = Array.isArray(read) ? read : (read as { items?: unknown } | null)?.items
    return Array.isArray(list) ? list.map(entryOf) : undefined
  } catch {
    return undefined
  }
}

/** What is imported of an entry, and no more than the server needs to refuse it. */
function entryOf(value: unknown): Entry {
  if (typeof value !== 'object' || value === null) return null
  const { id, text, category, confidence, createdAt, status } = value as Record<string, unknown>
  const kept = typeof text === 'string' ? text.slice(0, maxMemoryLength + 1) : text
  return { id, text: kept, category, confidence, createdAt, status }
}

/**
 * Imports entries part by part, which may be done again: what an earlier try has imported is known by then.
 * @param send one part; rejects with an ApiError
 * @param onProgress is told the number of entries that are done
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
