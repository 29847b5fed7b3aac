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

/** Cosine similarities with a message, by memory id; only those above the threshold. */
export type Similarities = ReadonlyMap<string, number>
/** No similarities: words alone decide. */
const noSimilarities = (): Similarities => new Map()

/** Compares within a time limit, in milliseconds. Never rejects; empty if the user has turned it off, without a model, and after a time-out. */
export type FindSimilar = (
  account: { readonly doc: Account; readonly version: number },
  message: string,
  withinMs: number,
) => Promise<Similarities>

/** Embeds the message, unless calls are paused after a failure, and compares its vector with those of the memories. */
export function createFindSimilar({ owners, vectors, embedder, rest, log }: SimilarDeps): FindSimilar {
  /** Undefined after a failure or time-out. */
  const ask = async (text: string, timeoutMs: number): Promise<Embedded | undefined> => {
    try {
      const embedded = await embedder.embed([text], { timeoutMs })
      rest.worked()
      return embedded
    } catch (error) {
      // A refused message says nothing about those of others.
      if (!isAppError(error, 'validation_failed')) rest.failed()
      if (!isAppError(error, 'not_found')) log.warn({ err: error }, 'the semantic search for a message failed')
      return undefined
    }
  }
  /** In the background: the look-up does not wait. */
  const revive = (ownerId: string, space: string): void => {
    vectors.revive(ownerId, space).catch((error: unknown) => {
      log.warn({ err: error }, 'missing vectors of memories could not be scheduled; the next look-up retries')
    })
  }
  return async (account, message, withinMs) => {
    const { doc } = account
    if (!wantsVectors(doc.settings) || rest.isResting()) return noSimilarities()
    const isBeingMade = doc.vectors.space === null && doc.vectorsDueAt !== null
    if (isBeingMade || Object.keys(doc.stored).length === 0) return noSimilarities()
    const text = embeddable(message)
    if (text === '') return noSimilarities()
    const endAt = performance.now() + withinMs
    // A read that is too slow for this message, as for an owner with many memories, warms the cache for the next one.
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

/** The similarities above the threshold, without vectors of another version of the account. */
function compared({ byId }: OwnerVectors, question: Vector, { stored }: Account): Similarities {
  const similarities = new Map<string, number>()
  for (const [id, { key, vector }] of byId) {
    if (vector === undefined) continue
    const alike = similarity(question, vector)
    if (alike >= leastSimilarity && stored[key] === id) similarities.set(id, alike)
  }
  return similarities
}
