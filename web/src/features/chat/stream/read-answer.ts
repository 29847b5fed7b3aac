import type { SendBody } from '@parley/contracts'
import { backoffDelay } from '../../../shared/live/backoff.ts'
import { type OnWake, pause } from '../../../shared/live/wake.ts'
import { type AnswerEvent, type AnswerStep, decodeJson, decodeLine } from './answer-event.ts'
import { type CallFailure, isCallFailure } from './call-failure.ts'
import { readFrames } from './frames.ts'
import { judgeSequence, readSequence } from './sequence.ts'

/** The calls for reading a stream. Both resolve with a successful response and reject with a {@link CallFailure} otherwise. */
export interface AnswerTransport {
  send(body: SendBody, signal: AbortSignal): Promise<Response>
  /** Events after number `after`; 0 means from the start. */
  resume(streamId: string, after: number, signal: AbortSignal): Promise<Response>
}

/** Limits of reading a stream, in milliseconds but for the numbers of tries; see {@link readFrames} for those of silence. */
export const streamLimits = {
  /** From sending to the end of the answer. */
  totalMs: 600_000,
  /** For the final check whether the answer has ended meanwhile. */
  lastLookMs: 10_000,
  idleMs: 45_000,
  wakeIdleMs: 20_000,
  networkIdleMs: 1_000,
  /** Between checks whether the network has returned, in case no event says so. */
  offlineLookMs: 5_000,
  backoff: { minMs: 500, maxMs: 5_000 },
  sendTries: 3,
  resumeTries: 20,
}
type StreamLimits = typeof streamLimits

export interface AnswerReaderDeps {
  readonly transport: AnswerTransport
  readonly onWake: OnWake
  /** False while the browser is certain to be offline. */
  readonly isOnline: () => boolean
  /** In [0, 1). */
  readonly random: () => number
  readonly limits: StreamLimits
}

/** A new answer, or a running one whose events up to `after` are known. */
export type AnswerRequest = { type: 'send'; body: SendBody } | { type: 'resume'; streamId: string; after: number }

/** How reading ended. `refused`: the message was not accepted; `gone`: the answer to resume is unknown; `left`: the reader aborted. */
export type AnswerEnd =
  | { type: 'done' }
  | { type: 'error'; error: string; code: string }
  | { type: 'interrupted'; reason: 'lost' | 'failed' | 'timeout' | 'broken-off' }
  | { type: 'refused'; failure: CallFailure }
  | { type: 'gone' }
  | { type: 'left' }

type Cut = { type: 'cut' } | { type: 'gap' } | { type: 'call-failed'; failure: CallFailure }

/**
 * Reads one answer to its end, over as many connections as needed: after a cut or a gap it resumes from the last known event, and
 * a message without a response is resent with the same body (its `clientMessageId` makes that idempotent). A message sent offline
 * is sent when the network returns, however long that takes.
 */
export async function* readAnswer(
  deps: AnswerReaderDeps,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<AnswerStep, AnswerEnd> {
  const cursor = createCursor(request)
  if (cursor.body && !deps.isOnline()) {
    yield { type: 'connection', state: 'offline' }
    await untilOnline(deps, signal)
    if (signal.aborted) return { type: 'left' }
  }
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), deps.limits.totalMs)
  const bound = AbortSignal.any([signal, deadline.signal])
  try {
    const end = yield* readUntilEnd(deps, cursor, bound)
    if (signal.aborted) return { type: 'left' }
    if (!deadline.signal.aborted || end.type !== 'left') return end
    return yield* lookOnceMore(deps, cursor, signal)
  } finally {
    clearTimeout(timer)
  }
}

async function untilOnline({ isOnline, onWake, limits }: AnswerReaderDeps, signal: AbortSignal): Promise<void> {
  while (!isOnline() && !signal.aborted) await pause(limits.offlineLookMs, onWake, signal)
}

interface Cursor {
  readonly body: SendBody | null
  streamId: string | null
  last: number
}

function createCursor(request: AnswerRequest): Cursor {
  return request.type === 'send'
    ? { body: request.body, streamId: null, last: 0 }
    : { body: null, streamId: request.streamId, last: request.after }
}

async function* readUntilEnd(deps: AnswerReaderDeps, cursor: Cursor, signal: AbortSignal) {
  let failures = 0
  let gaps = 0
  for (;;) {
    const before = cursor.last
    const outcome: AnswerEnd | Cut = yield* readConnection(deps, cursor, signal)
    if (signal.aborted && isCut(outcome)) return { type: 'left' } as const
    if (!isCut(outcome)) return outcome
    if (outcome.type === 'call-failed') {
      const end = endOfFailedCall(outcome.failure, cursor.streamId !== null)
      if (end) return end
    }
    if (outcome.type === 'gap') gaps += 1
    if (gaps > 1 && outcome.type === 'gap') {
      if (gaps > deps.limits.resumeTries) return { type: 'interrupted', reason: 'failed' } as const
      cursor.last = 0
      yield { type: 'restart' } as const
    }
    failures = cursor.last > before ? 1 : failures + 1
    if (failures > tries(deps.limits, cursor)) return giveUp(outcome, cursor)
    yield { type: 'connection', state: 'reconnecting' } as const
    await pause(backoffDelay(deps.limits.backoff, failures, deps.random()), deps.onWake, signal)
    if (signal.aborted) return { type: 'left' } as const
  }
}

const tries = (limits: StreamLimits, cursor: Cursor) =>
  cursor.streamId === null ? limits.sendTries - 1 : limits.resumeTries

/** The end caused by a refusal; null when a retry makes sense. */
function endOfFailedCall(failure: CallFailure, accepted: boolean): AnswerEnd | null {
  if (failure.code === 'network') return null
  if (!accepted) return { type: 'refused', failure }
  if (failure.status === 404) return { type: 'gone' }
  if (failure.status >= 500 || failure.status === 429) return null
  return { type: 'error', error: failure.message, code: failure.code }
}

function giveUp(outcome: Cut, cursor: Cursor): AnswerEnd {
  if (cursor.streamId !== null) {
    return { type: 'interrupted', reason: outcome.type === 'call-failed' ? 'failed' : 'lost' }
  }
  const failure =
    outcome.type === 'call-failed' ? outcome.failure : { status: 0, code: 'network', message: 'No answer' }
  return { type: 'refused', failure }
}

/** At the deadline the tab may just have slept: the answer may be complete on the server although nothing arrived. */
async function* lookOnceMore(deps: AnswerReaderDeps, cursor: Cursor, signal: AbortSignal) {
  if (cursor.streamId === null) {
    return { type: 'refused', failure: { status: 0, code: 'timeout', message: 'Timeout' } } as const
  }
  const look = AbortSignal.any([signal, AbortSignal.timeout(deps.limits.lastLookMs)])
  const outcome: AnswerEnd | Cut = yield* readConnection(deps, cursor, look)
  if (signal.aborted) return { type: 'left' } as const
  return isCut(outcome) || outcome.type === 'left' ? ({ type: 'interrupted', reason: 'timeout' } as const) : outcome
}

async function* readConnection(
  deps: AnswerReaderDeps,
  cursor: Cursor,
  signal: AbortSignal,
): AsyncGenerator<AnswerStep, AnswerEnd | Cut> {
  const connection = new AbortController()
  const bound = AbortSignal.any([signal, connection.signal])
  try {
    const response = await connect(deps.transport, cursor, bound)
    yield { type: 'connection', state: 'connected' }
    if (!isEventStream(response)) return yield* readJsonAnswer(response, cursor)
    if (!response.body) return { type: 'cut' }
    const cut = () => connection.abort()
    const frames = readFrames(response.body, { limits: deps.limits, onWake: deps.onWake, cut })
    let repeats = 0
    let frameCount = 0
    for await (const frame of frames) {
      frameCount += 1
      const seq = readSequence(frame.id, cursor.last)
      const verdict = judgeSequence(cursor.last, seq)
      if (verdict === 'duplicate') repeats += 1
      if (verdict === 'duplicate') continue
      if (verdict === 'gap') return { type: 'gap' }
      cursor.last = seq
      const event = decodeLine(frame.data)
      if (event.type === 'start') cursor.streamId = event.streamId
      yield { type: 'event', seq, event }
      const end = endOf(event)
      if (end) return end
    }
    // A stream with only known numbers, or an empty one, was renumbered: only reading it from the start shows its content.
    return { type: repeats > 0 || (frameCount === 0 && cursor.last > 0) ? 'gap' : 'cut' }
  } catch (error) {
    return isCallFailure(error) ? { type: 'call-failed', failure: error } : { type: 'cut' }
  } finally {
    connection.abort()
  }
}

function connect(transport: AnswerTransport, cursor: Cursor, signal: AbortSignal): Promise<Response> {
  if (cursor.streamId !== null) return transport.resume(cursor.streamId, cursor.last, signal)
  if (!cursor.body) throw new Error('Neither a message to send nor an answer to resume')
  return transport.send(cursor.body, signal)
}

async function* readJsonAnswer(response: Response, cursor: Cursor): AsyncGenerator<AnswerStep, AnswerEnd> {
  const body: unknown = await response.json().catch(() => null)
  const events = decodeJson(body)
  if (!events) {
    const failure = { status: response.status, code: 'invalid_response', message: 'Invalid response format' }
    return cursor.streamId === null ? { type: 'refused', failure } : { type: 'interrupted', reason: 'failed' }
  }
  for (const event of events) {
    cursor.last += 1
    yield { type: 'event', seq: cursor.last, event }
    const end = endOf(event)
    if (end) return end
  }
  return { type: 'done' }
}

function endOf(event: AnswerEvent): AnswerEnd | null {
  if (event.type === 'done') return { type: 'done' }
  if (event.type === 'error') return { type: 'error', error: event.error, code: event.code }
  return event.type === 'end' ? { type: 'interrupted', reason: 'broken-off' } : null
}

const isEventStream = (response: Response) =>
  (response.headers.get('content-type') ?? '').toLowerCase().startsWith('text/event-stream')

const isCut = (outcome: AnswerEnd | Cut): outcome is Cut =>
  outcome.type === 'cut' || outcome.type === 'gap' || outcome.type === 'call-failed'
