import type { HintName } from '@parley/contracts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import type { Listening, RedisSubscriber } from './redis-subscriber.ts'

/** Hints over publish/subscribe alone: a channel for each name, which only those hear who subscribed to it. */
export interface RedisHints {
  /** @throws RedisAwayError; then the hint is lost */
  publish(name: HintName, payload: unknown): Promise<void>
  /** Has `hear` called with this name's hints. Returns how to end it; idempotent. */
  listen(name: HintName): () => void
  stop(): void
}

/** What hints need. */
export interface RedisHintsOptions {
  readonly link: RedisLink
  readonly subscriber: RedisSubscriber
  readonly keys: RedisKeys
  hear(name: HintName, payload: unknown): void
}

/** Listens to no channel yet. */
export function createRedisHints({ link, subscriber, keys, hear }: RedisHintsOptions): RedisHints {
  const channels = new Map<HintName, { readonly listening: Listening; readonly listeners: Set<symbol> }>()
  const open = (name: HintName) => {
    const listening = subscriber.listen(keys.hintChannel(name), (message) => hear(name, JSON.parse(message)))
    const channel = { listening, listeners: new Set<symbol>() }
    channels.set(name, channel)
    return channel
  }
  return {
    async publish(name, payload) {
      await link.run((redis) => redis.publish(keys.hintChannel(name), JSON.stringify(payload)))
    },
    listen(name) {
      const { listening, listeners } = channels.get(name) ?? open(name)
      const listener = Symbol(name)
      listeners.add(listener)
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        channels.delete(name)
        listening.end()
      }
    },
    stop() {
      for (const { listening } of channels.values()) listening.end()
      channels.clear()
    },
  }
}
