import { type SignalName, type SignalPayload, signalSchemas } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Signal } from '../ports.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import { createReceivers } from './redis-receivers.ts'
import { runScript } from './redis-script.ts'
import { createHistoryReader } from './redis-signal-history.ts'
import { publish } from './redis-signal-scripts.ts'
import type { RedisSubscriber } from './redis-subscriber.ts'

/** Milliseconds between two looks at the history. */
const lookEveryMs = 300
/** Milliseconds of looking in vain after which others may have tried in vain to publish. */
const blindMs = 1_000
/** In place of a signal: somebody could not publish one. */
const missedMark = ''

/** A signal over an engine, and its looking after missed messages. */
export interface RedisSignal {
  readonly signal: Signal
  /** Looks for missed messages now. Resolves also when the engine is away. */
  look(): Promise<void>
  /** Nobody receives anything any more. */
  stop(): void
}

/**
 * Each message goes by publish/subscribe and into a short history, in one step. Every message names the one before it, so a receiver that
 * missed one notices with the next or by looking, and reads it from the history. What the history does not hold any more is lost, and
 * `onMissed` says so.
 */
export function createRedisSignal(
  link: RedisLink,
  subscriber: RedisSubscriber,
  keys: RedisKeys,
  log: Logger,
): RedisSignal {
  const receivers = createReceivers(log)
  let failedToPublish = false
  const publishOrNote = async (name: SignalName | typeof missedMark, payload: unknown): Promise<void> => {
    const values = [name, JSON.stringify(payload), keys.signalChannel]
    try {
      await link.run((redis) => runScript(redis, publish, [keys.signals], values))
    } catch (error) {
      failedToPublish = true
      throw error
    }
  }
  const history = createHistoryReader(link, keys.signals, {
    hear: ({ name, payload }) => (name === missedMark ? receivers.missed() : receivers.deliver(name, payload)),
    lost: () => {
      told = true
      receivers.missed()
    },
  })
  let told = false
  let blindSince: number | undefined
  const tellOfMissed = async (): Promise<void> => {
    if (!failedToPublish) return
    failedToPublish = false
    await publishOrNote(missedMark, {})
  }
  const look = async (): Promise<void> => {
    try {
      await history.look()
      if (blindSince !== undefined && performance.now() - blindSince > blindMs && !told) receivers.missed()
      blindSince = undefined
      told = false
      await tellOfMissed()
    } catch {
      // The link logs its outages; the next look comes soon.
      blindSince ??= performance.now()
    }
  }
  const listening = subscriber.listen(keys.signalChannel, history.receive)
  const timer = setInterval(() => void look(), lookEveryMs).unref()
  return {
    look,
    signal: {
      async publish(name, payload) {
        const parsed = signalSchemas[name].parse(payload)
        await publishOrNote(name, parsed)
      },
      subscribe<N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void) {
        return receivers.add(name, handler)
      },
      onMissed: (handler) => receivers.addMissed(handler),
    },
    stop() {
      clearInterval(timer)
      listening.end()
      receivers.clear()
    },
  }
}
