import type { Message, StreamEvent, UsedMemory } from '@parley/contracts'

/** The events that tell an answer's readers which memories its prompt used. */
export interface Recalled {
  readonly memories: readonly UsedMemory[]
  /** Memory is away. */
  readonly isUnavailable: boolean
}

/** For an answer that is made without memory. */
export const nothingRecalled: Recalled = { memories: [], isUnavailable: false }

/** The events of an answer that tell of it; none when there is nothing to tell. */
export function recalledEvents({ memories, isUnavailable }: Recalled): StreamEvent[] {
  if (isUnavailable) return [{ memory_unavailable: true }]
  return memories.length > 0 ? [{ memories_used: [...memories] }] : []
}

/** The memories shown with a message, taken from the answer's events. */
export function memoryOf(events: readonly StreamEvent[]): Pick<Partial<Message>, 'memoriesUsed' | 'memoryUnavailable'> {
  const used = events.flatMap((event) => ('memories_used' in event ? event.memories_used : []))
  const isUnavailable = events.some((event) => 'memory_unavailable' in event)
  return { ...(used.length > 0 && { memoriesUsed: used }), ...(isUnavailable && { memoryUnavailable: true }) }
}
