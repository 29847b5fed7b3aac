import { maxMemoryLength } from '@parley/contracts'
import { wordsOf } from './relevance/words.ts'
import type { MemoryDocument } from './store/documents.ts'
import type { NewSuggestion } from './store/memory-store.ts'

/** The similarity (Jaccard index of words) from which two texts are merged. */
const alike = 0.6

/**
 * Suggests merging a new memory with similar ones: the longest text, followed by those that add words; nothing is made up. Undefined without any.
 * @param others stored memories of the same user
 */
export function mergeOf(
  memory: Pick<MemoryDocument, 'id' | 'text' | 'category'>,
  others: readonly { readonly id: string; readonly text: string; readonly words: ReadonlySet<string> }[],
): NewSuggestion | undefined {
  const words = wordsOf(memory.text)
  const similar = others.filter((other) => other.id !== memory.id && likeness(words, other.words) >= alike)
  if (similar.length === 0) return undefined
  const all = [memory, ...similar]
  const longest = all.reduce((best, each) => (each.text.length > best.text.length ? each : best))
  const rest = all.filter(({ id }) => id !== longest.id).map(({ text }) => text)
  const added = rest.filter((text) => [...wordsOf(text)].some((word) => !wordsOf(longest.text).has(word)))
  const text = [longest.text, ...added].map((each) => each.trim()).join(' ')
  if (text.length > maxMemoryLength) return undefined
  const { category } = memory
  const merges = all.map(({ id }) => id)
  return {
    text,
    category,
    confidence: 'medium',
    reason: `Merges ${all.length} similar memories.`,
    source: null,
    merges,
  }
}

/** The Jaccard index of two sets, 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length
  return shared === 0 ? 0 : shared / (one.size + other.size - shared)
}
