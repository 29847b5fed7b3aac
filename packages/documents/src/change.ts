import type { Event } from '@parley/contracts'
import type { Documents, Identified, Versioned } from './documents.ts'

export interface Decision<Doc, Result> {
  readonly result: Result
  /**
   * Its new value, made from the one given so that fields of a newer version stay: those that it lacks or has as undefined are removed. Undefined leaves
   * the document unchanged.
   */
  readonly next?: Doc | undefined
  /** Events written together with it. */
  readonly events?: readonly Event[]
}

/**
 * Changes a document by a pure decision. When another change came in between, it is decided again on what there is then, so however many change one at
 * once, each decision holds for a state that the document had during the call.
 * @param decide is given undefined when there is no such document; it tells a refusal by its result and does not throw
 */
export type Change<Doc> = <Result>(
  id: string,
  decide: (doc: Doc | undefined) => Decision<Doc, Result>,
) => Promise<Result>

interface PendingDecision<Doc> {
  readonly decide: (doc: Doc | undefined) => Decision<Doc, unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}
type Changed<Doc extends Identified> = Pick<Documents<Doc>, 'get' | 'insertOnce' | 'replace'>

export interface ChangeOptions {
  /**
   * How many documents are remembered as this process last wrote them; 1,000 by default. Fewer where documents are large, and 0 where a cache that is
   * bounded by their size provides `get`.
   */
  readonly mostRemembered?: number
}

/**
 * Changes the documents of a collection. While one change of a document is being written, further ones that this process is asked for are decided one
 * upon the other and written as one. A document as this process last wrote it is not read again: a decision to change it is written only if the document
 * is still the same, and a decision to leave it unchanged is made on what is read.
 */
export function createChange<Doc extends Identified>(
  documents: Changed<Doc>,
  { mostRemembered = 1_000 }: ChangeOptions = {},
): Change<Doc> {
  const waiting = new Map<string, PendingDecision<Doc>[]>()
  const remembered = new Map<string, Versioned<Doc>>()
  const makeAll = async (id: string, all: readonly PendingDecision<Doc>[]): Promise<void> => {
    const known = remembered.get(id)
    remembered.delete(id)
    try {
      const { results, written } = await decideAndWrite(documents, id, all, known)
      if (written !== undefined) remembered.set(id, written)
      const [oldest = id] = remembered.keys()
      if (remembered.size > mostRemembered) remembered.delete(oldest)
      for (const [nth, { resolve }] of all.entries()) resolve(results[nth])
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }
  const begin = async (id: string, first: PendingDecision<Doc>): Promise<void> => {
    const next: PendingDecision<Doc>[] = [first]
    waiting.set(id, next)
    while (next.length > 0) await makeAll(id, next.splice(0))
    waiting.delete(id)
  }
  return <Result>(id: string, decide: (doc: Doc | undefined) => Decision<Doc, Result>) =>
    new Promise<Result>((resolve, reject) => {
      const asked: PendingDecision<Doc> = { decide, resolve: (result) => resolve(result as Result), reject }
      const next = waiting.get(id)
      if (next === undefined) void begin(id, asked)
      else next.push(asked)
    })
}

async function decideAndWrite<Doc extends Identified>(
  documents: Changed<Doc>,
  id: string,
  all: readonly PendingDecision<Doc>[],
  known: Versioned<Doc> | undefined,
): Promise<{ readonly results: readonly unknown[]; readonly written?: Versioned<Doc> }> {
  let found = known ?? (await documents.get(id))
  let isRead = known === undefined
  for (;;) {
    let next = found?.doc
    const decisions = all.map(({ decide }) => {
      const decision = decide(next)
      next = decision.next ?? next
      return decision
    })
    const results = decisions.map(({ result }) => result)
    const changes = decisions.filter((decision) => decision.next !== undefined)
    const events = changes.flatMap((decision) => decision.events ?? [])
    if (next === undefined || changes.length === 0) {
      if (isRead) return { results }
      found = await documents.get(id)
    } else if (found === undefined) {
      const [kept] = await documents.insertOnce([next], events)
      if (kept?.isNew) return { results, written: kept }
      found = kept
    } else {
      const missing = Object.fromEntries(Object.keys(found.doc).map((field) => [field, undefined]))
      const written = await documents.replace(found, { ...missing, ...next }, events)
      if (written !== undefined) return { results, written }
      found = await documents.get(id)
    }
    isRead = true
  }
}
