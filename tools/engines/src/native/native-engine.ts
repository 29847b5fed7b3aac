/** The engines that tests run on. */
export type EngineName = 'kafka' | 'mongo' | 'postgres' | 'redis'

/** An engine that tests run on, wherever it runs. */
export interface OpenEngine {
  /** For Kafka `host:port`. */
  readonly url: string
  /** Calls `handler` with the reason when it ends unexpectedly. */
  onLost(handler: (reason: string) => void): void
  /** Stops it for good; a folder of its own stays. Idempotent. */
  close(): Promise<void>
}

/** A server process for fault injection, whose URL stays the same when it is restarted. It never outlives the process that started it. */
export interface NativeEngine extends OpenEngine {
  readonly name: EngineName
  /** The pid of the running or last process. */
  readonly pid: number
  /** Resolves once the process has ended; its data stays. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /**
   * Restarts it on the same port and data; Redis has none. Resolves once it serves clients.
   * @throws with the end of its log if it does not start
   */
  start(): Promise<void>
  /** Suspends it (SIGSTOP): it keeps its connections and answers nothing. */
  freeze(): void
  thaw(): void
}

/** The folder and port of a server. */
export interface NativeOptions {
  /** Exclusive to the server, with its data and log; created if missing. */
  readonly folder: string
  /** On 127.0.0.1; a free one by default. */
  readonly port?: number
}
