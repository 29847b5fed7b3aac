/** The engines that tests run on. */
export type EngineName = 'kafka' | 'mongo' | 'postgres' | 'redis'

/** A server of one's own, as a process that tests may hurt. It never outlives the process that started it. */
export interface NativeEngine {
  readonly name: EngineName
  /** Kafka's is `host:port`. The same after a restart. */
  readonly url: string
  /** Of the running server, or of the last one. */
  readonly pid: number
  /** Ends it and resolves once it has ended; its data stay. */
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /**
   * Starts it again with the port and the data it had; Redis keeps none. Resolves once it does what clients ask.
   * @throws with the end of its log when it does not start
   */
  start(): Promise<void>
  /** It keeps its connections and answers nothing (SIGSTOP). */
  freeze(): void
  thaw(): void
  /** Calls `handler` when it ends though nobody asked it to, saying why. */
  onLost(handler: (reason: string) => void): void
  /** Ends it for good; its folder stays. Idempotent. */
  close(): Promise<void>
}

/** Where a server keeps its data and listens. */
export interface NativeOptions {
  /** The server's alone; made when it is missing. Its log is here too. */
  readonly folder: string
  /** On 127.0.0.1; a free one unless told. */
  readonly port?: number
}
