import type { Logger } from '@parley/kit'
import type { CacheEngine } from '../ports.ts'
import { createRedisCache } from './redis-cache.ts'
import { createRedisCounter } from './redis-counter.ts'
import { createKeys } from './redis-keys.ts'
import { openRedisLink } from './redis-link.ts'
import { createRedisSignal } from './redis-signal.ts'
import { createRedisStreamLog } from './redis-stream-log.ts'
import { openRedisSubscriber } from './redis-subscriber.ts'

/** What an engine on Redis needs. */
export interface RedisEngineOptions {
  /** `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS. */
  readonly url: string
  /** The service: its cached values and counters are its own. */
  readonly scope: string
  readonly log: Logger
  /** Begins every key and channel; `parley` unless told. Signals and stream logs are shared by all with the same one. */
  readonly prefix?: string
  /** Milliseconds from a stream log's last write to its end; 5 minutes unless told. */
  readonly expireMs?: number
  /** Milliseconds that a command may take before its caller goes its local path; 200 unless told. */
  readonly budgetMs?: number
}

/**
 * The four ports on one Redis or Valkey (6.2 or newer; one primary, no cluster), over two connections. Never throws: an engine that is not
 * there yet is waited for, and one that is away comes back by itself. Each outage and each return is logged once.
 */
export function openRedisEngine(options: RedisEngineOptions): CacheEngine {
  const { url, scope, log, prefix = 'parley', expireMs, budgetMs } = options
  const keys = createKeys(prefix, scope)
  const name = `parley-${scope}`
  const link = openRedisLink({ url, name, probe: keys.probe, log, budgetMs })
  const subscriber = openRedisSubscriber(url, name, () => {
    signals.reconnected()
    streamLogs.look()
  })
  const signals = createRedisSignal(link, subscriber, keys, log)
  const streamLogs = createRedisStreamLog(link, subscriber, keys, expireMs)
  return {
    cache: createRedisCache(link, keys),
    counter: createRedisCounter(link, keys),
    signal: signals.signal,
    streamLog: streamLogs.streamLog,
    async health() {
      await link.health()
      await signals.look()
    },
    async close() {
      signals.stop()
      streamLogs.stop()
      subscriber.close()
      link.close()
    },
  }
}
