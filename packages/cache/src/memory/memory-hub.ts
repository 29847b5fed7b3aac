import type { Logger } from '@parley/kit'
import type { CacheEngine } from '../ports.ts'
import { createMemoryCache } from './memory-cache.ts'
import { createMemoryCounter } from './memory-counter.ts'
import { createSignalHub } from './memory-signal.ts'
import { createMemoryStreamLog } from './memory-stream-log.ts'

/** The counterpart of an engine shared by processes, for services within one process. */
export interface MemoryHub {
  /**
   * An engine for one service. Engines with the same scope share cached values and counters, like replicas; those of other scopes
   * see none of them. Signals and stream logs are shared by all.
   */
  open(scope: string): CacheEngine
  /** Ends every timer and reader. Idempotent. */
  close(): Promise<void>
}

export interface MemoryHubOptions {
  readonly log: Logger
  /** Time from a stream log's last write to its end; 5 minutes by default. */
  readonly expireMs?: number
}

/** The four ports in this process's memory: gone with it, and unknown to other processes. */
export function openMemoryHub({ log, expireMs }: MemoryHubOptions): MemoryHub {
  const signals = createSignalHub(log)
  const streamLogs = createMemoryStreamLog(expireMs)
  const scopes = new Map<string, Pick<CacheEngine, 'cache' | 'counter'>>()
  const scopeOf = (name: string): Pick<CacheEngine, 'cache' | 'counter'> => {
    const scope = scopes.get(name) ?? { cache: createMemoryCache(), counter: createMemoryCounter() }
    scopes.set(name, scope)
    return scope
  }
  return {
    open(name) {
      const { signal, unsubscribeAll } = signals.open()
      return {
        ...scopeOf(name),
        counterOf: (other) => ({
          async look(windows) {
            const takes = windows.map((window) => ({ ...window, cost: 0 }))
            return (await scopeOf(other).counter.consumeAll(takes)).results
          },
        }),
        signal,
        streamLog: streamLogs,
        health: async () => undefined,
        close: async () => unsubscribeAll(),
      }
    },
    async close() {
      streamLogs.end()
      signals.end()
      scopes.clear()
    },
  }
}
