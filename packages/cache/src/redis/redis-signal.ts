import { isHintName, type SignalName, type SignalPayload, signalSchemas } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Signal } from '../ports.ts'
import { createRedisHints } from './redis-hints.ts'
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
/** In place of a control signal: a replica could not publish one. */
const missedMark = ''

/** A signal over an engine, and its looking after missed messages. */
export interface RedisSignal {
  readonly signal: Signal
  /** Looks for missed messages now. Resolves also when the engine is away. */
  look(): Promise<void>
  /** The connection that hears was made anew. */
  reconnected(): void
  /** Nobody receives anything any more. */
  stop(): void
}

/**
 * Each control signal goes by publish/subscribe and into a short history, in one step. It names the one before it, so a receiver that missed
 * one notices with the next or by looking, and reads it from the history. What the history does not hold any more is lost, and `onMissed` says
 * so. Hints go by publish/subscribe alone.
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
  const tellMissed = (): void => receivers.missed('control')
  const history = createHistoryReader(link, keys.signals, {
    hear: ({ name, payload }) => (name === missedMark ? tellMissed() : receivers.deliver(name, payload)),
    lost: () => {
      told = true
      tellMissed()
    },
  })
  const hints = createRedisHints({ link, subscriber, keys, hear: receivers.deliver })
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
      if (blindSince !== undefined && performance.now() - blindSince > blindMs && !told) tellMissed()
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
    reconnected() {
      receivers.missed('hint')
      void look()
    },
    signal: {
      async publish(name, payload) {
        const parsed = signalSchemas[name].parse(payload)
        await (isHintName(name) ? hints.publish(name, parsed) : publishOrNote(name, parsed))
      },
      subscribe<N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void) {
        const remove = receivers.add(name, handler)
        if (!isHintName(name)) return remove
        const unlisten = hints.listen(name)
        return () => {
          remove()
          unlisten()
        }
      },
      onMissed: (handler) => receivers.addMissed('control', handler),
      onHintsMissed: (handler) => receivers.addMissed('hint', handler),
    },
    stop() {
      clearInterval(timer)
      listening.end()
      hints.stop()
      receivers.clear()
    },
  }
}
