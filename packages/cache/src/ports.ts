import type { SignalName, SignalPayload } from '@parley/contracts'

/** Copies of what is true elsewhere. Anything may be missing at any time; nothing may be kept only here. */
export interface Cache {
  /** Undefined on a miss, after expiry, and when the engine is unavailable. */
  get(key: string): Promise<string | undefined>
  /** Kept for at most `ttlMs`. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
}

/** So many points in a window of time. */
export interface Limit {
  /** Points in a window. */
  readonly points: number
  readonly windowMs: number
}
/** Whether a point was taken, and what is left. */
export interface CountResult {
  readonly allowed: boolean
  readonly limit: number
  /** Points left in this window, never below 0. */
  readonly remaining: number
  /** Milliseconds until the window starts anew. */
  readonly resetMs: number
}

/** What a call takes of one window. */
export interface Take {
  readonly key: string
  readonly limit: Limit
  /** Points, whole; 0 only looks. */
  readonly cost: number
}
/** Whether all points were taken; `results` are in the order of the takes, each allowed when its own window had enough. */
export interface TakeResult {
  readonly allowed: boolean
  readonly results: readonly CountResult[]
}

/** Rate limits shared by all replicas. One atomic step: no two callers take the same last point. */
export interface Counter {
  /** Takes one point of `key`'s current fixed window; a refused call takes nothing. A changed limit holds at once. */
  consume(key: string, limit: Limit): Promise<CountResult>
  /** Takes points of several windows in one step: of all of them, or of none when one has too few left. */
  consumeAll(takes: readonly Take[]): Promise<TakeResult>
  /** Takes `points` more of the window that runs, whatever its limit, or gives them back below 0. Nothing while none runs. */
  adjust(key: string, limit: Limit, points: number): Promise<void>
}

/** Looks at windows that another service counts. */
export interface CounterView {
  /**
   * What is left in each window, in their order; takes nothing.
   * @throws when the engine is unavailable: then each replica of that service counts by itself
   */
  look(windows: readonly Omit<Take, 'cost'>[]): Promise<readonly CountResult[]>
}

/**
 * Messages to every replica of every service, the sender's included, in order among those of one kind. Not durable, and of two kinds. Control
 * signals are kept in a history, from which a receiver that was disconnected reads them; one for which some are gone for good is told so, and hints never
 * push them out. Hints are kept nowhere: a receiver that was disconnected misses them.
 */
export interface Signal {
  /**
   * @throws when the payload does not fit the signal's schema, or the engine is unavailable: then receivers are told later that they missed something
   * if it was a control signal; a hint is lost and nobody is told
   */
  publish<N extends SignalName>(name: N, payload: SignalPayload<N>): Promise<void>
  /** Returns how to end it. A handler that throws is logged and harms nobody else. */
  subscribe<N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void): () => void
  /**
   * Calls `handler` whenever control signals may have been missed for good, so that copies are dropped. Returns how to end it. A handler
   * that throws is logged and harms nobody else.
   */
  onMissed(handler: () => void): () => void
  /** As `onMissed`, whenever this replica was unavailable and may have missed hints. Nothing that is a copy has to be dropped for it. */
  onHintsMissed(handler: () => void): () => void
}

/** An entry of a stream's log. `data` is one line of text, ready to be sent. */
export interface LogEntry {
  readonly seq: number
  readonly data: string
}

/**
 * The running answers and imports: one log each, written by its owner, read by any number of readers on any replica.
 * Not durable. Entries have contiguous `seq` from 1; a log expires 5 minutes after its last write.
 */
export interface StreamLog {
  /**
   * Appends entries whose first has `seq` = last + 1. Resolves to false, with nothing written, when it has not, or when the log is closed:
   * then somebody else has taken the stream over.
   * @throws when the engine is unavailable for longer than a moment, or the log is longer than any answer
   */
  append(streamId: string, entries: readonly LogEntry[]): Promise<boolean>
  /**
   * No more entries follow; readers end after the last one. A log that was never written becomes an empty, closed one. Idempotent.
   * @throws when the engine is unavailable for longer than a moment
   */
  close(streamId: string): Promise<void>
  /**
   * Last `seq` and whether it is closed; undefined when there is no such log (never written, expired, or lost).
   * @throws when the engine is unavailable
   */
  state(streamId: string): Promise<{ readonly lastSeq: number; readonly closed: boolean } | undefined>
  /**
   * Entries after `afterSeq`, first those that are there, then new ones as they come, until the log is closed, expires, is lost, the engine
   * is unavailable, or `signal` aborts. Ends at once when there is no such log. A slow reader holds up nobody and misses nothing.
   */
  read(streamId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<LogEntry>
}

/** The four ports over one engine, for one service: its cache and counters are its own, signals and stream logs are everybody's. */
export interface CacheEngine {
  readonly cache: Cache
  readonly counter: Counter
  /** The windows of another service. In Redis a service needs a right to them. @param scope the other service's name */
  counterOf(scope: string): CounterView
  readonly signal: Signal
  readonly streamLog: StreamLog
  /** Rejects when the engine cannot be reached or takes no writes, and says why. */
  health(): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}
