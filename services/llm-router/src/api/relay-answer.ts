import { type Dispatcher, request } from 'undici'
import type { Target } from '../adapters/adapter.ts'
import { brokenOff, readFailure, refusedCall } from '../completion/failure.ts'
import { createWatchdog, type Watchdog } from '../completion/watchdog.ts'
import { readLimited } from '../images/read-limited.ts'
import type { AnswerCredits, ApiAnswer, AskOptions } from './api-answer.ts'
import { createEventCutter, dataOf, splitEvents } from './event-cutter.ts'
import type { EventNote, ProviderFormat } from './provider-formats.ts'

/** Maximum bytes of a JSON response. */
const longestWhole = 64 * 1024 * 1024
/** Milliseconds to wait for usage figures after the finish. */
const afterFinishMs = 3_000

/** A request in the provider's own dialect. */
export interface ProviderRequest {
  /** Relative to the model's base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly format: ProviderFormat
  /** The figures were requested only by us. */
  readonly hidesUsage?: boolean
}

/** The same, with its answer relayed byte for byte. */
export interface RelayedRequest extends ProviderRequest {
  readonly isStream: boolean
  /** Tokens of the prompt, if the provider gives no figures. */
  readonly inputTokens: number
}

/**
 * Makes exactly one provider call and waits for the first piece of its answer.
 * @throws ProviderFailure when there is none
 */
export async function relayAnswer(target: Target, asked: RelayedRequest, options: AskOptions): Promise<ApiAnswer> {
  const own = new AbortController()
  const follow = (): void => own.abort(options.signal.reason)
  if (options.signal.aborted) follow()
  options.signal.addEventListener('abort', follow, { once: true })
  const watchdog = createWatchdog((failure) => own.abort(failure))
  const release = (): void => {
    watchdog.end()
    options.signal.removeEventListener('abort', follow)
  }
  const cancel = (): void => {
    release()
    own.abort()
  }
  try {
    watchdog.watch(Math.max(0, options.deadline - performance.now()), 'first token')
    const body = await post(target, asked, own.signal)
    if (!asked.isStream) return await wholeAnswer(body, asked, { release, cancel })
    return await streamedAnswer(body, asked, {
      ...{ watchdog, release, cancel },
      signal: own.signal,
      idleMs: options.idleMs,
    })
  } catch (error) {
    const cause = own.signal.aborted ? own.signal.reason : error
    cancel()
    throw readFailure(cause)
  }
}

async function post(
  target: Target,
  { path, headers, body, isStream }: RelayedRequest,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData['body']> {
  const { statusCode, ...answer } = await request(`${target.baseUrl.replace(/\/+$/, '')}/${path}`, {
    method: 'POST',
    dispatcher: target.dispatcher,
    signal,
    headers: {
      'content-type': 'application/json',
      accept: isStream ? 'text/event-stream' : 'application/json',
      ...headers,
      ...target.headers,
    },
    body: JSON.stringify(body),
  })
  if (statusCode >= 200 && statusCode < 300) return answer.body
  const retryAfter = answer.headers['retry-after']
  const told = new Headers(typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {})
  const refused = await refusedCall({ status: statusCode, headers: told }, answer.body, body)
  answer.body.on('error', () => undefined).destroy()
  throw refused
}

async function wholeAnswer(
  body: Dispatcher.ResponseData['body'],
  { format, inputTokens }: RelayedRequest,
  { release, cancel }: Call,
): Promise<ApiAnswer> {
  const bytes = await readLimited(body, longestWhole)
  release()
  const note = format.whole(JSON.parse(bytes.toString('utf8')))
  return {
    pieces: none(),
    closing: () => note.replacement ?? bytes,
    id: () => note.answerId,
    hasOutput: () => note.isPiece,
    usage: () => ({
      inputTokens: note.inputTokens ?? inputTokens,
      outputTokens: note.outputTokens ?? (note.isPiece ? Math.ceil(bytes.length / 4) : 0),
      estimated: note.inputTokens === undefined || note.outputTokens === undefined,
    }),
    cancel,
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

/** How a call ends. */
interface Call {
  /** It has completed. */
  readonly release: () => void
  /** It is cancelled. */
  readonly cancel: () => void
}

/** A streamed call in progress. */
interface Running extends Call {
  readonly watchdog: Watchdog
  readonly signal: AbortSignal
  readonly idleMs: number
}

/**
 * Waits for the first piece of a streamed answer; the rest is relayed on demand.
 * @throws ProviderFailure when there is none
 */
export async function streamedAnswer(
  body: AsyncIterable<Buffer>,
  asked: RelayedRequest,
  { watchdog, release, cancel, signal, idleMs }: Running,
): Promise<ApiAnswer> {
  const state = createRelayState(asked)
  const events = wholeEvents(body)
  /** The next relayable events; undefined at the end of the body. */
  const next = async (): Promise<Taken | undefined> => {
    try {
      const { value, done } = await events.next()
      signal.throwIfAborted()
      return done === true ? undefined : state.take(value)
    } catch (error) {
      const cause = signal.aborted ? signal.reason : error
      // The text is complete; only the usage figures are missing.
      if (state.isFinished) return undefined
      throw readFailure(cause)
    }
  }
  const opening: Buffer[] = []
  let taken: Taken | undefined
  while (!state.hasPiece && !state.isFinished) {
    taken = await next()
    if (taken === undefined) throw brokenOff()
    if (taken.failure !== undefined && !state.hasPiece) throw readFailure(taken.failure)
    opening.push(taken.bytes)
  }
  const first = taken
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield Buffer.concat(opening)
      if (first?.failure !== undefined) throw readFailure(first.failure)
      while (!state.isEnded) {
        watchdog.watch(state.isFinished ? Math.min(idleMs, afterFinishMs) : idleMs, 'idle')
        const more = await next()
        watchdog.rest()
        if (more === undefined) break
        if (more.bytes.length > 0) yield more.bytes
        if (more.failure !== undefined) throw readFailure(more.failure)
      }
      if (!state.isFinished) throw brokenOff()
    } finally {
      if (state.isEnded) void drain()
      else cancel()
    }
  }
  /** Reads to the end of the body, so that the connection can be reused. */
  const drain = async (): Promise<void> => {
    watchdog.watch(afterFinishMs, 'end')
    while ((await next()) !== undefined);
    release()
  }
  watchdog.rest()
  return {
    pieces: pieces(),
    closing: (_usage, credits) => state.closing(credits),
    id: () => state.id,
    hasOutput: () => state.hasPiece || state.hasFigures,
    usage: (isComplete) => state.usage(isComplete),
    cancel,
  }
}

async function* wholeEvents(body: AsyncIterable<Buffer>): AsyncGenerator<WholeEvents> {
  const cutter = createEventCutter()
  for await (const chunk of body) {
    const bytes = cutter.push(chunk)
    if (bytes.length > 0) yield { bytes, isLast: false }
  }
  // Some servers omit the blank line after the last event.
  const rest = cutter.rest()
  if (rest.length > 0) yield { bytes: rest, isLast: true }
}
interface WholeEvents {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** The relayable part of some events, and the reason why nothing follows, if so. */
interface Taken {
  readonly bytes: Buffer
  readonly failure?: unknown
}

/** Adds the cost to an event with usage figures, leaving the rest unchanged. */
function withCredits(event: Buffer, credits: AnswerCredits): Buffer {
  const end = event.lastIndexOf('}')
  if (end === -1) return event
  return Buffer.concat([
    event.subarray(0, end),
    Buffer.from(`,"credits":${JSON.stringify(credits)}`),
    event.subarray(end),
  ])
}

/** The relay's state of one answer. */
function createRelayState({ format, hidesUsage = false, inputTokens: promptTokens }: RelayedRequest) {
  const read = format.reader(hidesUsage)
  const marks = format.marks.map((mark) => Buffer.from(mark))
  let [inputTokens, outputTokens]: (number | undefined)[] = []
  /** Sizes of the first event with a piece and of all bytes, to estimate the tokens of an answer that was cut off. */
  let [pieceSize, size] = [0, 0]
  /** Held back until the cost is known, because they mostly arrive before the end. */
  let figures: Buffer = Buffer.alloc(0)
  let end: Buffer = Buffer.alloc(0)
  const state = {
    hasPiece: false,
    isFinished: false,
    isEnded: false,
    id: undefined as string | undefined,
    /** The last events. */
    closing: (credits?: AnswerCredits): Buffer =>
      Buffer.concat([credits === undefined ? figures : withCredits(figures, credits), end]),
    get hasFigures() {
      return (outputTokens ?? 0) > 0
    },
    take({ bytes, isLast }: WholeEvents): Taken {
      if (state.isEnded) return { bytes: Buffer.alloc(0) }
      size += bytes.length
      const isRead = isLast || !state.hasPiece || figures.length > 0 || marks.some((mark) => bytes.includes(mark))
      return isRead ? takeEach(bytes) : { bytes }
    },
    usage(isComplete: boolean) {
      if (isComplete && inputTokens !== undefined && outputTokens !== undefined) {
        return { inputTokens, outputTokens, estimated: false }
      }
      const about = state.hasPiece ? Math.max(1, Math.round(size / Math.max(1, pieceSize))) : 0
      const told = isComplete ? outputTokens : undefined
      return { inputTokens: inputTokens ?? promptTokens, outputTokens: told ?? about, estimated: true }
    },
  }
  const heed = (note: EventNote, length: number): void => {
    if (note.isPiece && !state.hasPiece) pieceSize = size = length
    if (note.isPiece) state.hasPiece = true
    if (note.isFinish) state.isFinished = true
    state.id ??= note.answerId
    inputTokens = note.inputTokens ?? inputTokens
    outputTokens = note.outputTokens ?? outputTokens
  }
  const takeEach = (bytes: Buffer): Taken => {
    const kept: Buffer[] = []
    for (const event of splitEvents(bytes)) {
      try {
        const note = read(dataOf(event))
        heed(note, event.length)
        if (note.isEnd) {
          state.isEnded = true
          end = event
          break
        }
        if (note.isHidden) continue
        // Others follow, so these were not the last.
        kept.push(figures, note.isFigures ? Buffer.alloc(0) : event)
        figures = note.isFigures ? event : Buffer.alloc(0)
      } catch (failure) {
        return { bytes: Buffer.concat([...kept, figures]), failure }
      }
    }
    return { bytes: Buffer.concat(kept) }
  }
  return state
}
