import { isAppError, type Logger, withTimeout } from '@parley/kit'
import { leastSimilarity } from '../relevance/fuse.ts'
import type { Account } from '../store/documents.ts'
import type { VectorStore } from '../store/vector-store.ts'
import { lacksVectors, wantsVectors } from './account-vectors.ts'
import { type Embedded, type Embedder, embeddable } from './embedder.ts'
import type { OwnerVectors, OwnerVectorsCache } from './owner-vectors.ts'
import type { Rest } from './rest.ts'
import { similarity, type Vector, vectorOf } from './vector.ts'

export interface SimilarDeps {
  readonly owners: OwnerVectorsCache
  readonly vectors: Pick<VectorStore, 'revive'>
  readonly embedder: Embedder
  readonly rest: Rest
  readonly log: Logger
}

/** How alike a user's memories and a message are in meaning, by the memories' ids: of those that are alike at all. */
export type Similarities = ReadonlyMap<string, number>
/** By words alone. */
const noSimilarities = (): Similarities => new Map()

/** Compares within a time, in milliseconds. Never rejects; empty where the user does not want it, without a model, and when there is no answer in time. */
export type FindSimilar = (
  account: { readonly doc: Account; readonly version: number },
  message: string,
  withinMs: number,
) => Promise<Similarities>

/** Has the message's vector made, unless that failed or was late a moment ago, and compares it with those of the memories. */
export function createFindSimilar({ owners, vectors, embedder, rest, log }: SimilarDeps): FindSimilar {
  /** Undefined when there is none in time. */
  const ask = async (text: string, timeoutMs: number): Promise<Embedded | undefined> => {
    try {
      const embedded = await embedder.embed([text], { timeoutMs })
      rest.worked()
      return embedded
    } catch (error) {
      rest.failed()
      if (!isAppError(error, 'not_found')) log.warn({ err: error }, 'a message was not compared by meaning')
      return undefined
    }
  }
  /** Off the path of the look-up. */
  const revive = (ownerId: string, space: string): void => {
    vectors.revive(ownerId, space).catch((error: unknown) => {
      log.warn({ err: error }, 'missing vectors of memories were not noted; the next look-up does it')
    })
  }
  return async (account, message, withinMs) => {
    const { doc } = account
    const isBeingMade = doc.vectors.space === null && doc.vectorsDueAt !== null
    const hasNone = Object.keys(doc.stored).length === 0 || isBeingMade
    if (!wantsVectors(doc.settings) || hasNone || rest.isResting()) return noSimilarities()
    const text = embeddable(message)
    if (text === '') return noSimilarities()
    const endAt = performance.now() + withinMs
    // What is read late, as of an owner with many memories, is there for the next message.
    const read = owners.of(account).catch((error: unknown) => {
      log.warn({ err: error }, 'vectors of memories could not be read')
      return undefined
    })
    const answer = await ask(text, withinMs)
    if (answer === undefined) return noSimilarities()
    if (lacksVectors(doc, answer.space)) revive(doc.id, answer.space)
    if (answer.space !== doc.vectors.space) return noSimilarities()
    const own = await withTimeout(Math.max(1, endAt - performance.now()), read).catch(() => undefined)
    return own === undefined ? noSimilarities() : compared(own, vectorOf(answer.vectors[0] ?? ''), doc)
  }
}

/** Those that are alike at all; what another version of the account had is passed over. */
function compared({ byId }: OwnerVectors, question: Vector, { stored }: Account): Similarities {
  const similarities = new Map<string, number>()
  for (const [id, { key, vector }] of byId) {
    if (vector === undefined) continue
    const alike = similarity(question, vector)
    if (alike >= leastSimilarity && stored[key] === id) similarities.set(id, alike)
  }
  return similarities
}
