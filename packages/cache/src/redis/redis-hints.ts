import type { HintName } from '@parley/contracts'
import { openConnection } from './redis-connection.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink, RedisLinkOptions } from './redis-link.ts'

/** Milliseconds between two pings of the connection; without a reply it is replaced. */
const proveEveryMs = 1_000

export interface RedisHintsOptions extends Pick<RedisLinkOptions, 'url' | 'name'> {
  readonly link: RedisLink
  readonly keys: RedisKeys
  onMessage(name: HintName, payload: unknown): void
  /** The connection was replaced: hints were missed. */
  missed(): void
}

/** Hints over publish/subscribe: a channel for each name, on a connection that is opened with the first subscription. Listens to none yet. */
export function createRedisHints(options: RedisHintsOptions) {
  const { url, link, keys, onMessage, missed } = options
  const names = new Map<string, HintName>()
  // The link for commands goes to the same engine and reports its outages; hints sent meanwhile are lost.
  const untold = (): void => undefined
  const connect = () => {
    const redis = openConnection(url, options.name)
    redis.on('error', untold)
    redis.on('ready', () => void redis.subscribe(...names.keys()).then(missed, untold))
    redis.on('message', (channel: string, message: string) => {
      const name = names.get(channel)
      if (name !== undefined) onMessage(name, JSON.parse(message))
    })
    const timer = setInterval(() => void redis.ping().catch(untold), proveEveryMs).unref()
    const close = (): void => {
      clearInterval(timer)
      redis.disconnect()
    }
    return { redis, close }
  }
  let connection: ReturnType<typeof connect> | undefined
  return {
    /** @throws RedisUnavailableError; then the hint is lost */
    async publish(name: HintName, payload: unknown): Promise<void> {
      await link.run((redis) => redis.publish(keys.hintChannel(name), JSON.stringify(payload)))
    },
    /** Calls `onMessage` with this name's hints from now on. */
    listen(name: HintName): void {
      const channel = keys.hintChannel(name)
      if (names.has(channel)) return
      names.set(channel, name)
      connection ??= connect()
      // A connection that is not there yet subscribes to all once it is.
      connection.redis.subscribe(channel).catch(untold)
    },
    close: () => connection?.close(),
  }
}
