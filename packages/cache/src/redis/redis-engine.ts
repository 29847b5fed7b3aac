import type { Logger } from '@parley/kit'
import type { CacheEngine } from '../ports.ts'
import { createRedisCache } from './redis-cache.ts'
import { createRedisCounter, createRedisCounterView } from './redis-counter.ts'
import { createKeys } from './redis-keys.ts'
import { openRedisLink } from './redis-link.ts'
import { createRedisSignal } from './redis-signal.ts'
import { createRedisStreamLog } from './redis-stream-log.ts'
import { openRedisStreamReader } from './redis-stream-reader.ts'

export interface RedisEngineOptions {
  /** `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS. */
  readonly url: string
  /** The service: its cached values and counters are its own. */
  readonly scope: string
  readonly log: Logger
  /** Begins every key and channel; `parley` by default. Signals and stream logs are shared by all with the same one. */
  readonly prefix?: string
  /** Milliseconds from a stream log's last write to its end; 5 minutes by default. */
  readonly expireMs?: number
  /** Milliseconds that a command may take before its caller goes its local path; 200 by default. */
  readonly budgetMs?: number
}

/**
 * The four ports on one Redis or Valkey (6.2 or newer; one primary, no cluster), over one connection for commands, one that reads streams, and
 * one for hints once any is subscribed to. Never throws: an engine that is not there yet is waited for, and one that is unavailable comes back by
 * itself. Each outage and each return is logged once.
 */
export function openRedisEngine(options: RedisEngineOptions): CacheEngine {
  const { url, scope, log, prefix = 'parley', expireMs, budgetMs } = options
  const keys = createKeys(prefix, scope)
  const name = `parley-${scope}`
  const link = openRedisLink({ url, name, probe: keys.probe, log, budgetMs })
  const reader = openRedisStreamReader({ url, name: `${name}-reader`, link, log })
  const signals = createRedisSignal({ url, name, link, reader, keys, log })
  return {
    cache: createRedisCache(link, keys),
    counter: createRedisCounter(link, keys),
    counterOf: (other) => createRedisCounterView(link, createKeys(prefix, other)),
    signal: signals.signal,
    streamLog: createRedisStreamLog(link, reader, keys, expireMs),
    async health() {
      await link.health()
      await reader.ready()
      await signals.announceFailure()
    },
    async close() {
      signals.close()
      reader.close()
      link.close()
    },
  }
}
