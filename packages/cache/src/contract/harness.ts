import type { CacheEngine } from '../ports.ts'

/** An empty engine, made anew for each test. */
export interface CacheHarness {
  /** A replica of the service `scope`, ready to send and hear. */
  openReplica(scope: string): Promise<CacheEngine>
  /** Two replicas of an engine whose stream logs expire within a second of their last write. */
  openShortLived(): Promise<[CacheEngine, CacheEngine]>
  /** How often a signal handler's failure was logged. */
  loggedFailures(): number
  close(): Promise<void>
}

/** Waits for conditions. */
export const eventually = { timeout: 10_000, interval: 5 }
