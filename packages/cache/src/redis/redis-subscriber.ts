import { within } from '@parley/kit'
import { openConnection } from './redis-connection.ts'

/** Milliseconds between two proofs that the connection lives; without an answer it is made anew. */
const proveEveryMs = 1_000
/** Milliseconds that a listener waits for its channel; then it looks by itself at first. */
const patienceMs = 200
/** Channels in one command. */
const channelsAtOnce = 500

/** A channel that is listened to. */
export interface Listening {
  /** Resolves when messages published from now on will be heard, or when that cannot be had now; never rejects. */
  readonly tried: Promise<void>
  end(): void
}

/** The one connection on which everything published is heard. It may miss messages at any time: whoever listens looks by itself, too. */
export interface RedisSubscriber {
  /** One listener for a channel at a time. */
  listen(channel: string, hear: (message: string) => void): Listening
  close(): void
}

/** @param reconnected called when the connection is made anew, which says that messages were missed */
export function openRedisSubscriber(url: string, name: string, reconnected: () => void): RedisSubscriber {
  const redis = openConnection(url, name)
  const listeners = new Map<string, (message: string) => void>()
  // The link for commands goes to the same engine and tells of its outages; a message missed is found by looking.
  const untold = (): void => undefined
  const listenToAll = async (): Promise<void> => {
    const channels = [...listeners.keys()]
    for (let from = 0; from < channels.length; from += channelsAtOnce) {
      await redis.subscribe(...channels.slice(from, from + channelsAtOnce)).catch(untold)
    }
    reconnected()
  }
  redis.on('error', untold)
  redis.on('ready', () => void listenToAll())
  redis.on('message', (channel: string, message: string) => listeners.get(channel)?.(message))
  const timer = setInterval(() => void redis.ping().catch(untold), proveEveryMs).unref()
  return {
    listen(channel, hear) {
      listeners.set(channel, hear)
      return {
        tried: within(patienceMs, redis.subscribe(channel)).then(untold, untold),
        end() {
          listeners.delete(channel)
          redis.unsubscribe(channel).catch(untold)
        },
      }
    },
    close() {
      clearInterval(timer)
      listeners.clear()
      redis.disconnect()
    },
  }
}
