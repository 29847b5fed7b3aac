import type { Event } from '@parley/contracts'
import type { Documents, Identified, Versioned } from './documents.ts'

/** What is to become of a document. */
export interface Decision<Doc, Result> {
  readonly result: Result
  /** What it is then; undefined leaves it as it is. */
  readonly next?: Doc | undefined
  /** Written with it. */
  readonly events?: readonly Event[]
}

/**
 * Changes a document by a pure decision. When another change came in between, it is decided again on what there is then, so however many change one at
 * once, each decision holds for a state that the document had during the call.
 * @param decide is given undefined when there is no such document
 */
export type Change<Doc> = <Result>(
  id: string,
  decide: (doc: Doc | undefined) => Decision<Doc, Result>,
) => Promise<Result>

/** Changes of a collection. Those of one document that one process makes at once take turns, each on what the one before wrote, without reading it. */
export function createChange<Doc extends Identified>(
  documents: Pick<Documents<Doc>, 'get' | 'insertOnce' | 'replace'>,
): Change<Doc> {
  const turns = new Map<string, Promise<Versioned<Doc> | undefined>>()
  return async (id, decide) => {
    const before = turns.get(id)
    const { promise: turn, resolve: pass } = Promise.withResolvers<Versioned<Doc> | undefined>()
    turns.set(id, turn)
    // Only what was written is passed on: what was read may be older than the calls that wait.
    let written: Versioned<Doc> | undefined
    try {
      let found = (await before) ?? (await documents.get(id))
      for (;;) {
        const { result, next, events } = decide(found?.doc)
        if (next === undefined) return result
        if (found === undefined) {
          const [kept] = await documents.insertOnce([next], events)
          found = kept
          if (kept?.isNew) written = kept
        } else {
          written = await documents.replace(found, next, events)
          if (written === undefined) found = await documents.get(id)
        }
        if (written !== undefined) return result
      }
    } finally {
      if (turns.get(id) === turn) turns.delete(id)
      pass(written)
    }
  }
}
