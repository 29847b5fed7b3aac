import type { CacheEngine } from '../ports.ts'

/** A replica whose way to the engine can be closed; one that shares its engine's memory is always there. */
export interface SeverableReplica {
  readonly engine: CacheEngine
  sever(): void
  mend(): void
}

/** An empty engine, created for each test. */
export interface CacheHarness {
  /** A replica of the service `scope`, ready to send and receive. */
  openReplica(scope: string): Promise<CacheEngine>
  /** As `openReplica`, with its own connection to the engine. */
  openSeverable(scope: string): Promise<SeverableReplica>
  /** Two replicas of an engine whose stream logs expire within seconds of their last write. */
  openShortLived(): Promise<[CacheEngine, CacheEngine]>
  /** How often a signal handler's failure was logged. */
  loggedFailures(): number
  close(): Promise<void>
}

/** Waits for conditions. */
export const eventually = { interval: 5 }
