import { setTimeout as delay } from 'node:timers/promises'
import { type CacheEngine, type LogEntry, watchEnd } from '@parley/cache'
import { streamEnd } from '@parley/contracts'
import { notFound } from '@parley/kit'
import { isGuestOwner } from '../callers.ts'
import type { Common } from '../common.ts'
import type { Generation } from '../store/entities.ts'
import type { GenerationStore } from '../store/generation-store.ts'
import { eventLine } from './event-line.ts'
import type { Presence } from './presence.ts'
import { refusalOf } from './refusal.ts'
import { isOpened, isTerminal, replay } from './replay.ts'
import type { ChatTiming } from './timing.ts'
import { numbered } from './transcript.ts'

export interface ReaderDeps extends Pick<Common, 'timing' | 'now'> {
  readonly generations: GenerationStore
  readonly cache: Pick<CacheEngine, 'streamLog'>
  readonly presence: Presence
}

/** An answer to be read: its id and whose it is. */
export interface AnswerRef {
  readonly id: string
  readonly ownerId: string
}

/**
 * The stream of an answer after `afterSeq` to its end, on any replica: from the log while there is one, else from the store as far as it is saved.
 * Every reader of an answer gets the same entries, no matter when it connects, and an end that says how the answer ended, whatever `afterSeq` is. Ends early
 * only when `signal` aborts.
 */
export async function* readAnswer(
  deps: ReaderDeps,
  ref: AnswerRef,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const { presence, timing } = deps
  const hide = isGuestOwner(ref.ownerId) ? presence.show(ref.id, timing.guestAbsenceMs / 6) : () => undefined
  let seq = afterSeq
  let hasTerminal = false
  try {
    for (let pauseMs = timing.pollMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, mostPauseMs(timing))) {
      for await (const entry of readLog(deps, ref, seq, signal)) {
        // An end mark alone is no end for a reader whose number is of another event than it thinks.
        if (entry.data === streamEnd && !hasTerminal) break
        yield entry
        seq = entry.seq
        hasTerminal = isTerminal(entry.data)
        pauseMs = timing.pollMs
        if (entry.data === streamEnd) return
      }
      if (signal.aborted) return
      const saved = hasTerminal ? { entries: numbered([streamEnd], seq), ended: true } : await readSaved(deps, ref, seq)
      for (const entry of saved.entries) {
        yield entry
        seq = entry.seq
      }
      if (saved.ended) return
      // It has not begun yet, or its log is lost and its owner will write it again.
      await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    hide()
  }
}

/** An answer that has been missing for a while is looked for twice per checkpoint interval. */
const mostPauseMs = ({ pollMs, checkpointMs }: ChatTiming): number => Math.max(pollMs, checkpointMs / 2)

/** The last events of an answer that was deleted while it was read. */
const { message: error, code } = notFound()
const forgottenLines = [eventLine({ error, code }), streamEnd]

async function readSaved(
  { generations }: ReaderDeps,
  ref: AnswerRef,
  afterSeq: number,
): Promise<{ readonly entries: readonly LogEntry[]; readonly ended: boolean }> {
  try {
    const generation = await generations.find(ref.id, ref.ownerId)
    if (generation === undefined) return { entries: numbered(forgottenLines, afterSeq), ended: true }
    return { entries: replay(generation, afterSeq), ended: generation.ending !== null }
  } catch {
    // If the store is unavailable, the reader tries again after a pause.
    return { entries: [], ended: false }
  }
}

/** The log's entries; given up when the answer has ended and the log does not say so. */
async function* readLog(
  { generations, cache, timing }: ReaderDeps,
  ref: AnswerRef,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<LogEntry> {
  const watch = watchEnd(async () => {
    const generation = await generations.find(ref.id, ref.ownerId)
    return generation === undefined || generation.ending !== null
  }, timing.checkpointMs)
  const entries = cache.streamLog
    .read(ref.id, afterSeq, AbortSignal.any([signal, watch.signal]))
    [Symbol.asyncIterator]()
  // An unavailable engine has no entries.
  const next = () => entries.next().catch(() => undefined)
  try {
    for (let entry = await next(); entry?.done === false; entry = await next()) {
      watch.heard()
      yield entry.value
    }
  } finally {
    watch.stop()
    await entries.return?.()
  }
}

/**
 * Waits until an answer can be streamed.
 * @throws AppError not_found when there is none, and what went wrong when it failed before its first event
 */
export async function answerOpened({ generations, cache, timing, now }: ReaderDeps, ref: AnswerRef): Promise<void> {
  for (let pauseMs = timing.pollMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs(timing))) {
    const state = await cache.streamLog.state(ref.id).catch(() => undefined)
    if (state !== undefined && state.lastSeq > 0) return
    const generation = await generations.find(ref.id, ref.ownerId)
    if (generation === undefined) throw notFound()
    if (generation.ending !== null) return refuseFailed(generation, now())
    if (isOpened(generation)) return
    await delay(pauseMs)
  }
}

function refuseFailed({ ending, status }: Generation, now: Date): void {
  const refusal = status === 'error' && ending !== null ? refusalOf(ending, now) : undefined
  if (refusal !== undefined) throw refusal
}
