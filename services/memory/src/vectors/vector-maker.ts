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

/** Texts of one call. */
const batch = 32
/** For one call. Milliseconds. */
const callMs = 40_000
/** Of the texts of a refused call so many may be refused by themselves; with more it is the model that is at fault. */
const mostRefused = 3

/** Makes the vectors that are due, and removes those that nobody wants. One run at a time; never rejects for a single owner's sake. */
export type MakeVectors = (stopping: AbortSignal) => Promise<void>

/** In batches, owner by owner. While the model does not answer nobody's are asked for, and each owner's again later. */
export function createVectorMaker({ vectors, embedder, rest, log }: VectorMakerDeps): MakeVectors {
  const embed = async (texts: readonly string[]) => await embedder.embed(texts, { timeoutMs: callMs })
  /** Vectors of texts; undefined for one that the provider refuses though it takes others. */
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
  /** @returns what was done: of a memory whose text is just being written nothing */
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
      // What was edited or removed while it was worked on has another turn.
      const some = stale.filter((each) => !tried.has(markOf(each))).slice(0, batch)
      if (some.length === 0 || stopping.aborted) break
      for (const each of some) tried.add(markOf(each))
      const work = await vectors.settle(ownerId, space, await makeSome(ownerId, space, some))
      rest.worked()
      if (work.kind === 'unwanted') await vectors.removeUnwanted(ownerId)
      if (work.kind !== 'make') return
      stale = work.stale
    }
    // A text that is just being written is there the next time.
    if (stale.length > 0) await vectors.postpone(ownerId)
  }
  const serve = async (ownerId: string, space: string | null, stopping: AbortSignal): Promise<void> => {
    const work = await vectors.claim(ownerId, space)
    if (work.kind === 'unwanted') await vectors.removeUnwanted(ownerId)
    if (work.kind !== 'make' || space === null) return
    try {
      await makeAll(ownerId, space, work.stale, stopping)
    } catch (error) {
      rest.failed()
      await vectors.postpone(ownerId)
      log.warn({ err: error }, 'vectors of memories could not be made; they are tried again later')
    }
  }
  return async (stopping) => {
    if (rest.isResting()) return
    const due = await vectors.due()
    if (due.length === 0) return
    const space = await embedder.space().catch((error: unknown) => {
      rest.failed()
      log.warn({ err: error }, 'the model for vectors of memories is unknown; it is asked for again later')
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
