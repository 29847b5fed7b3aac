import { type StreamLog, watchEnd } from '@parley/cache'
import { streamEnd } from '@parley/contracts'
import { type Clock, pause } from '@parley/kit'
import { createEventMapper, type Emission } from './event-mapper.ts'

/** Exponential backoff, in milliseconds, while a log does not exist. */
const pausesMs = { first: 25, most: 400 }

/** One answer, whose log is read once for all connections of this replica. */
export interface Answer {
  readonly messageId: string
  /** The name of its log: the id of the message, or of the generation that continues it. */
  readonly streamId: string
  /** Append-only; the index is the entry's number less one. */
  readonly emissions: readonly (Emission | undefined)[]
  /** True once nothing will be appended. */
  readonly hasEnded: () => boolean
  /** Ends it as failed before its first entry; ignored if it has entries. */
  readonly fail: () => void
}

export interface AnswerDeps {
  readonly streamLog: StreamLog
  readonly now: Clock
  /** Milliseconds of silence after which chat is asked whether the answer is still being generated. */
  readonly lookMs: number
}

/** The answer to read, and the reader's callbacks. */
export interface AnswerRequest {
  readonly chatId: string
  readonly messageId: string
  readonly streamId: string
  /** Whether it is still being generated; rejects when chat is unavailable. */
  readonly isMaking: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly changed: (answer: Answer) => void
  /** Called before the last `changed`; `whole` says whether its end is among the emissions. */
  readonly ended: (answer: Answer, whole: boolean) => void
}

/** Reads until the end of the log, or until the log is lost and the answer is no longer being generated. */
export function followAnswer(deps: AnswerDeps, request: AnswerRequest): Answer {
  const emissions: (Emission | undefined)[] = []
  const { chatId, messageId, streamId } = request
  const mapper = createEventMapper({ chatId, messageId }, deps.now)
  let ended = false
  const failed = new AbortController()
  const fail = (): void => {
    if (emissions.length === 0) failed.abort()
  }
  const answer: Answer = { messageId, streamId, emissions, hasEnded: () => ended, fail }
  const read = async (): Promise<void> => {
    const signal = AbortSignal.any([request.signal, failed.signal])
    const whole = await readLog(deps, { ...request, signal }, emissions, (seq, line) => {
      emissions.push(mapper.map(seq, line))
      request.changed(answer)
    })
    if (request.signal.aborted) return
    if (failed.signal.aborted) emissions.push(mapper.failed())
    ended = true
    request.ended(answer, whole || failed.signal.aborted)
    request.changed(answer)
  }
  void read()
  return answer
}

/** Resolves to whether the end of the log was read; never rejects. */
async function readLog(
  { streamLog, lookMs }: AnswerDeps,
  { streamId, isMaking, signal }: AnswerRequest,
  emissions: { readonly length: number },
  onEntry: (seq: number, line: string) => void,
): Promise<boolean> {
  const watch = watchEnd(async () => !(await isMaking()), lookMs)
  const stop = AbortSignal.any([signal, watch.signal])
  try {
    for (let pauseMs = pausesMs.first; !stop.aborted; pauseMs = Math.min(2 * pauseMs, pausesMs.most)) {
      try {
        for await (const { seq, data } of streamLog.read(streamId, emissions.length, stop)) {
          watch.heard()
          pauseMs = pausesMs.first
          onEntry(seq, data)
          if (data === streamEnd) return true
        }
      } catch {
        // The engine is unavailable: retry.
      }
      // The answer has not begun yet, or its log was lost and the generating replica will rewrite it.
      await pause(pauseMs, stop)
    }
    return false
  } finally {
    watch.stop()
  }
}
