import type { StreamLog } from '@parley/cache'
import { streamEnd } from '@parley/contracts'
import { type Clock, pause } from '@parley/kit'
import { createEventMapper, type Emission } from './event-mapper.ts'

/** Before a log that is not there is looked for again, in milliseconds; doubles up to the most. */
const pausesMs = { first: 25, most: 400 }

/** One answer, read from its log once for all connections of this replica. */
export interface Answer {
  readonly messageId: string
  /** The name of its log: the message's id, or that of the generation that continues it. */
  readonly streamId: string
  /** By number of the entry less one; grows. */
  readonly emissions: readonly (Emission | undefined)[]
  /** Nothing is added any more. */
  readonly hasEnded: () => boolean
}

export interface AnswerDeps {
  readonly streamLog: StreamLog
  readonly now: Clock
  /** Milliseconds of silence after which chat is asked whether the answer is still being made. */
  readonly lookMs: number
}

/** Which answer, and the callbacks of its reader. */
export interface AnswerRequest {
  readonly chatId: string
  readonly messageId: string
  readonly streamId: string
  /** Whether it is still being made; may reject when that cannot be found out. */
  readonly isMaking: () => Promise<boolean>
  readonly signal: AbortSignal
  readonly changed: (answer: Answer) => void
  /** Called before the last `changed`; `whole` says whether the log had the end. */
  readonly ended: (answer: Answer, whole: boolean) => void
}

/** Reads until the log says that it ended, or until it is nowhere and the answer is not being made any more. */
export function followAnswer(deps: AnswerDeps, request: AnswerRequest): Answer {
  const emissions: (Emission | undefined)[] = []
  const { chatId, messageId, streamId } = request
  const mapper = createEventMapper({ chatId, messageId }, deps.now)
  let ended = false
  const answer: Answer = { messageId, streamId, emissions, hasEnded: () => ended }
  const read = async (): Promise<void> => {
    const whole = await readLog(deps, request, emissions, (seq, line) => {
      emissions.push(mapper.map(seq, line))
      request.changed(answer)
    })
    if (request.signal.aborted) return
    ended = true
    request.ended(answer, whole)
    request.changed(answer)
  }
  void read()
  return answer
}

/** Resolves to whether the log had the end; never rejects. */
async function readLog(
  { streamLog, lookMs }: AnswerDeps,
  { streamId, isMaking, signal }: AnswerRequest,
  emissions: { readonly length: number },
  onEntry: (seq: number, line: string) => void,
): Promise<boolean> {
  const givenUp = new AbortController()
  const stop = AbortSignal.any([signal, givenUp.signal])
  let endedBefore = false
  const look = async (): Promise<void> => {
    // Unknown is no end. Twice, as the end is stored before it is in the log.
    const ended = !(await isMaking().catch(() => true))
    if (ended && endedBefore) givenUp.abort()
    endedBefore = ended
  }
  const timer = setInterval(() => void look(), lookMs)
  try {
    for (let pauseMs = pausesMs.first; !stop.aborted; pauseMs = Math.min(2 * pauseMs, pausesMs.most)) {
      try {
        for await (const { seq, data } of streamLog.read(streamId, emissions.length, stop)) {
          timer.refresh()
          endedBefore = false
          pauseMs = pausesMs.first
          onEntry(seq, data)
          if (data === streamEnd) return true
        }
      } catch {
        // An unavailable engine has no entries, and comes back.
      }
      // Not begun yet, or its log is lost and the replica that makes the answer will write it anew.
      await pause(pauseMs, stop)
    }
    return false
  } finally {
    clearInterval(timer)
  }
}
