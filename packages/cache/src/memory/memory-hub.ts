import type { Logger } from '@parley/kit'
import type { CacheEngine } from '../ports.ts'
import { createMemoryCache } from './memory-cache.ts'
import { createMemoryCounter } from './memory-counter.ts'
import { createSignalHub } from './memory-signal.ts'
import { createMemoryStreamLog } from './memory-stream-log.ts'

/** The counterpart of an engine shared by processes, for services within one process. */
export type MemoryHub = ReturnType<typeof openMemoryHub>

/**
 * The four ports in this process's memory: gone with it, and unknown to other processes.
 * @param expireMs time from a stream log's last write to its end; 5 minutes by default
 */
export function openMemoryHub({ log, expireMs }: { readonly log: Logger; readonly expireMs?: number }) {
  const signals = createSignalHub(log)
  const streamLogs = createMemoryStreamLog(expireMs)
  const scopes = new Map<string, Pick<CacheEngine, 'cache' | 'counter'>>()
  const scopeOf = (name: string): Pick<CacheEngine, 'cache' | 'counter'> => {
    const scope = scopes.get(name) ?? { cache: createMemoryCache(), counter: createMemoryCounter() }
    scopes.set(name, scope)
    return scope
  }
  return {
    /**
     * An engine for one service. Engines with the same scope share cached values and counters, like replicas; those of other scopes
     * see none of them. Signals and stream logs are shared by all.
     */
    open(name: string): CacheEngine {
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
    /** Ends every timer and reader. Idempotent. */
    async close(): Promise<void> {
      streamLogs.end()
      signals.end()
      scopes.clear()
    },
  }
}
