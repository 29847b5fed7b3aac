import type { OutlineEntry } from '../store/message-store.ts'

/**
 * The last message of the version of a thread that goes through `messageId`: of all that end below it, the one written or shown last, and one that
 * failed without a word only if there is no other. Undefined when there is no such message.
 */
export function leafThrough(outline: readonly OutlineEntry[], messageId: string): string | undefined {
  const children = Map.groupBy(outline, ({ parentId }) => parentId)
  const first = outline.find(({ id }) => id === messageId)
  if (first === undefined) return undefined
  let best: OutlineEntry | undefined
  const below = [first]
  for (let entry = below.pop(); entry !== undefined; entry = below.pop()) {
    const next = children.get(entry.id)
    if (next !== undefined) below.push(...next)
    else if (best === undefined || isLater(entry, best)) best = entry
  }
  return best?.id
}

/** Ties are broken by the greater id, so that the result is always the same. */
function isLater(one: OutlineEntry, other: OutlineEntry): boolean {
  if (one.isEmpty !== other.isEmpty) return other.isEmpty
  const difference = one.at.getTime() - other.at.getTime()
  return difference === 0 ? one.id > other.id : difference > 0
}

/**
 * The part of a thread around its entry `middle`: as many entries before as after it, except near an end, at most `limit`, and fewer where they have
 * more than `bytes`. The entry after `middle` is in it however large, so that a reader gets on from there.
 * @returns the indexes of its first and last entry
 */
export function partAround(
  thread: readonly Pick<OutlineEntry, 'bytes'>[],
  middle: number,
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
): { readonly first: number; readonly last: number } {
  let last = Math.min(thread.length - 1, Math.max(middle + Math.floor(limit / 2), limit - 1))
  let first = Math.max(0, last - limit + 1)
  let size = thread.slice(first, last + 1).reduce((sum, entry) => sum + entry.bytes, 0)
  while (size > bytes && (first < middle || last > middle + 1)) {
    const dropsLast = last > middle + 1 && (first === middle || last - middle >= middle - first)
    size -= thread[dropsLast ? last : first]?.bytes ?? 0
    if (dropsLast) last -= 1
    else first += 1
  }
  return { first, last }
}

/** The messages from the first one of a thread to this one. */
export function pathTo(outline: readonly OutlineEntry[], leafId: string | null): OutlineEntry[] {
  const byId = new Map(outline.map((entry) => [entry.id, entry]))
  const path: OutlineEntry[] = []
  for (let at = byId.get(leafId ?? ''); at !== undefined; at = byId.get(at.parentId ?? '')) path.push(at)
  return path.reverse()
}
