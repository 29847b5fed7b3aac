import { isAppError, type Logger } from '@parley/kit'
import type { NewVector, VectorStore } from '../store/vector-store.ts'
import type { Stale } from './account-vectors.ts'
import { type Embedder, embeddable } from './embedder.ts'
import type { Rest } from './rest.ts'

export interface VectorMakerDeps {
  readonly vectors: VectorStore
  readonly embedder: Embedder
  readonly rest: Rest
  readonly log: Logger
}

/** Texts per call. */
const batch = 32
/** Time-out of a call, in milliseconds. */
const callMs = 40_000
/** After a refused batch, up to this many of its texts may be refused individually; beyond that, the owner is retried later. */
const mostRefused = 3

/** Creates due vectors and removes unwanted ones. Do not run it concurrently. A failure for one owner does not reject. */
export type MakeVectors = (stopping: AbortSignal) => Promise<void>

/** Works in batches, owner by owner. After a failure the owner is retried later, and all owners pause unless the owner's texts were refused. */
export function createVectorMaker({ vectors, embedder, rest, log }: VectorMakerDeps): MakeVectors {
  const embed = async (texts: readonly string[]) => await embedder.embed(texts, { timeoutMs: callMs })
  /** Vectors of texts; undefined for a text that the provider refuses while accepting others. */
  const embedAll = async (texts: readonly string[]): Promise<readonly (string | undefined)[]> => {
    if (texts.length === 0) return []
    try {
      return (await embed(texts)).vectors
    } catch (error) {
      if (!isAppError(error, 'validation_failed') || texts.length === 1) throw error
    }
    const made: (string | undefined)[] = []
    for (const text of texts) made.push(await embedUnlessRefused(text, made))
    return made
  }
  const embedUnlessRefused = async (text: string, made: readonly (string | undefined)[]) => {
    try {
      return (await embed([text])).vectors[0]
    } catch (error) {
      const refused = made.filter((vector) => vector === undefined).length
      if (isAppError(error, 'validation_failed') && refused < mostRefused) return undefined
      throw error
    }
  }
  /** @returns the finished items, without memories whose text is still being written */
  const makeSome = async (ownerId: string, space: string, some: readonly Stale[]): Promise<readonly Stale[]> => {
    const gone = some.filter(({ key }) => key === null)
    await vectors.remove(
      ownerId,
      gone.map(({ id }) => id),
    )
    const stored = some.filter((each): each is NamedStale => each.key !== null)
    const texts = await vectors.texts(
      ownerId,
      stored.map(({ id }) => id),
    )
    const wanted = stored.filter(({ id }) => texts.has(id))
    const sendable = wanted.filter(({ id }) => embeddable(texts.get(id) ?? '') !== '')
    const made = await embedAll(sendable.map(({ id }) => embeddable(texts.get(id) ?? '')))
    const kept = sendable.flatMap(({ id, key }, nth): NewVector[] => {
      const data = made[nth]
      return data === undefined ? [] : [{ id, key, data }]
    })
    await vectors.keep(ownerId, space, kept)
    return [...gone, ...wanted]
  }
  const makeAll = async (ownerId: string, space: string, first: readonly Stale[], stopping: AbortSignal) => {
    const tried = new Set<string>()
    let stale = first
    for (;;) {
      // A memory edited or removed meanwhile has a new mark and gets another turn.
      const some = stale.filter((each) => !tried.has(markOf(each))).slice(0, batch)
      if (some.length === 0 || stopping.aborted) break
      for (const each of some) tried.add(markOf(each))
      const work = await vectors.settle(ownerId, space, await makeSome(ownerId, space, some))
      rest.worked()
      if (work.kind === 'unwanted') await vectors.removeUnwanted(ownerId)
      if (work.kind !== 'make') return
      stale = work.stale
    }
    // The next attempt finds texts that are still being written.
    if (stale.length > 0) await vectors.postpone(ownerId)
  }
  const serve = async (ownerId: string, space: string | null, stopping: AbortSignal): Promise<void> => {
    const work = await vectors.claim(ownerId, space)
    if (work.kind === 'unwanted') await vectors.removeUnwanted(ownerId)
    if (work.kind !== 'make' || space === null) return
    try {
      await makeAll(ownerId, space, work.stale, stopping)
    } catch (error) {
      if (!isAppError(error, 'validation_failed')) rest.failed()
      await vectors.postpone(ownerId)
      log.warn({ err: error }, 'vectors of memories could not be created; retrying later')
    }
  }
  return async (stopping) => {
    if (rest.isResting()) return
    const due = await vectors.due()
    if (due.length === 0) return
    const space = await embedder.space().catch((error: unknown) => {
      rest.failed()
      log.warn({ err: error }, 'the embedding model for memories could not be read from the registry; retrying later')
    })
    if (space === undefined) return
    for (const ownerId of due) {
      if (stopping.aborted || rest.isResting()) return
      await serve(ownerId, space, stopping)
    }
  }
}
const markOf = ({ id, key }: Stale): string => `${id} ${key}`
type NamedStale = Stale & { readonly key: string }
