import { setTimeout as delay } from 'node:timers/promises'
import type { CacheEngine, LogEntry } from '@parley/cache'
import { type ErrorCode, errorCodes, streamEnd } from '@parley/contracts'
import { AppError, notFound } from '@parley/kit'
import { isGuestOwner } from '../callers.ts'
import type { Generation } from '../store/documents.ts'
import type { GenerationStore } from '../store/generation-store.ts'
import { showReader } from './presence.ts'
import { replay } from './replay.ts'
import type { ChatTiming } from './timing.ts'

/** What reading an answer uses. */
export interface ReaderDeps {
  readonly generations: GenerationStore
  readonly cache: Pick<CacheEngine, 'cache' | 'streamLog'>
  readonly timing: ChatTiming
}

/** An answer to be read: its id and whose it is. */
export interface AnswerRef {
  readonly id: string
  readonly ownerId: string
}

/**
 * The stream of an answer after `afterSeq` to its end, on any replica: from the log while there is one, from the store else. Every reader of
 * an answer gets the same entries, whenever it comes. Ends early only when `signal` aborts.
 */
export async function* readAnswer(
  deps: ReaderDeps,
  ref: AnswerRef,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const hide = isGuestOwner(ref.ownerId)
    ? showReader(deps.cache.cache, ref.id, deps.timing.guestLeaveMs / 6)
    : () => undefined
  let seq = afterSeq
  try {
    while (!signal.aborted) {
      for await (const entry of readLog(deps, ref, seq, signal)) {
        yield entry
        seq = entry.seq
        if (entry.data === streamEnd) return
      }
      const generation = await deps.generations.find(ref.id, ref.ownerId)
      if (generation === undefined) return
      if (generation.ending !== null) return yield* replay(generation, seq)
      // Not begun yet, or its log is gone while the owner has not noticed.
      await delay(deps.timing.pollMs, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    hide()
  }
}

/** The log's entries; given up when the answer has ended and the log does not say so, as its owner died between the two. */
async function* readLog(
  { generations, cache, timing }: ReaderDeps,
  ref: AnswerRef,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const giveUp = new AbortController()
  let endedBefore = false
  const look = async (): Promise<void> => {
    const generation = await generations.find(ref.id, ref.ownerId)
    const ended = generation === undefined || generation.ending !== null
    if (ended && endedBefore) giveUp.abort()
    endedBefore = ended
  }
  // A store that cannot be asked now is asked again.
  const timer = setInterval(() => void look().catch(() => undefined), timing.checkpointMs)
  try {
    for await (const entry of cache.streamLog.read(ref.id, afterSeq, AbortSignal.any([signal, giveUp.signal]))) {
      timer.refresh()
      endedBefore = false
      yield entry
    }
  } finally {
    clearInterval(timer)
  }
}

/**
 * Waits until an answer can be streamed.
 * @throws AppError not_found when there is none, and what went wrong when it failed before its first event
 */
export async function answerOpened({ generations, cache, timing }: ReaderDeps, ref: AnswerRef): Promise<void> {
  for (;;) {
    const state = await cache.streamLog.state(ref.id)
    if (state !== undefined && state.lastSeq > 0) return
    const generation = await generations.find(ref.id, ref.ownerId)
    if (generation === undefined) throw notFound()
    if (generation.ending !== null) return refuseFailed(generation)
    await delay(timing.pollMs)
  }
}

function refuseFailed({ ending, status }: Generation): void {
  if (status === 'error' && ending?.failure) throw failureError(ending.failure)
}

/** The failure of an answer as the refusal of a call. */
export function failureError({ error, code }: { error: string; code: string }): AppError {
  return new AppError(errorCodes.find((known) => known === code) ?? ('provider_error' satisfies ErrorCode), error)
}
