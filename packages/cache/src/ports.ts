import type { SignalName, SignalPayload } from '@parley/contracts'

/** Copies of data that lives elsewhere. Anything may be missing at any time; nothing may be stored only here. */
export interface Cache {
  /** Undefined on a miss, after expiry, and when the engine is unavailable. */
  get(key: string): Promise<string | undefined>
  /** Expires after `ttlMs` at the latest. */
  set(key: string, value: string, ttlMs: number): Promise<void>
  delete(key: string): Promise<void>
}

/** How many points may be taken in a window of time. */
export interface Limit {
  /** Points in a window. */
  readonly points: number
  readonly windowMs: number
}
/** Whether the points were taken, and how many remain. */
export interface CountResult {
  readonly allowed: boolean
  readonly limit: number
  /** Points left in this window, never below 0. */
  readonly remaining: number
  /** Milliseconds until the window resets. */
  readonly resetMs: number
}

/** The points that a call takes of one window. */
export interface Take {
  readonly key: string
  readonly limit: Limit
  /** Points, whole; 0 only looks. */
  readonly cost: number
}
/** Whether all points were taken; `results` are in the order of the takes, each allowed if its own window had enough. */
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
  /** Takes `points` more of the current window, regardless of its limit; negative points are given back. Does nothing without a current window. */
  adjust(key: string, limit: Limit, points: number): Promise<void>
}

/** Looks at windows that another service counts. */
export interface CounterView {
  /**
   * The remaining points of each window, in their order; takes none.
   * @throws when the engine is unavailable: then each replica of that service counts by itself
   */
  look(windows: readonly Omit<Take, 'cost'>[]): Promise<readonly CountResult[]>
}

/**
 * Messages to every replica of every service, the sender's included, in order within each kind. Not durable. There are two kinds. Control
 * signals are kept in a history, from which a receiver that was disconnected reads them; a receiver is told when some are lost for good, and hints never
 * evict them. Hints are not kept: a receiver that was disconnected misses them.
 */
export interface Signal {
  /**
   * @throws when the payload does not fit the signal's schema, or the engine is unavailable: for a control signal, receivers learn later that they missed
   * something; a hint is lost without notice
   */
  publish<N extends SignalName>(name: N, payload: SignalPayload<N>): Promise<void>
  /** Returns the function that unsubscribes. A handler that throws is logged and affects no other. */
  subscribe<N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void): () => void
  /**
   * Calls `handler` whenever control signals may have been missed for good, so that copies are dropped. Returns the function that unsubscribes. A handler
   * that throws is logged and affects no other.
   */
  onMissed(handler: () => void): () => void
  /** As `onMissed`, whenever this replica was disconnected and may have missed hints. No cached copy has to be dropped for it. */
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
   * Appends entries, the first with `seq` = last + 1. Resolves to false, with nothing written, when the number is another or the log is closed:
   * another writer has then taken the stream over.
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
   * Entries after `afterSeq`, first existing ones, then new ones as they come, until the log is closed, expires or is lost, the engine
   * becomes unavailable, or `signal` aborts. Ends at once when there is no such log. A slow reader delays no other and misses nothing.
   */
  read(streamId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<LogEntry>
}

/** The four ports over one engine, for one service: its cache and counters are its own, signals and stream logs are shared by all. */
export interface CacheEngine {
  readonly cache: Cache
  readonly counter: Counter
  /** The windows of another service; in Redis a service needs a right to them. @param scope the other service's name */
  counterOf(scope: string): CounterView
  readonly signal: Signal
  readonly streamLog: StreamLog
  /** Rejects, with the reason, when the engine cannot be reached or refuses writes. */
  health(): Promise<void>
  /** Idempotent. */
  close(): Promise<void>
}
