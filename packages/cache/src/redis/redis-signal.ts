import { isHintName, type SignalName, signalSchemas } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Signal } from '../ports.ts'
import { createReceivers } from '../receivers.ts'
import { createRedisControl } from './redis-control.ts'
import { createRedisHints } from './redis-hints.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisLink } from './redis-link.ts'
import type { RedisStreamReader } from './redis-stream-reader.ts'

/** A signal over an engine. */
export interface RedisSignal {
  readonly signal: Signal
  /** Tells everybody that this replica could not publish something, if that is so. @throws RedisUnavailableError */
  announceFailure(): Promise<void>
  /** Nobody receives any more signals. */
  close(): void
}

export interface RedisSignalOptions {
  readonly url: string
  /** Begins the names of its connections. */
  readonly name: string
  readonly link: RedisLink
  readonly reader: RedisStreamReader
  readonly keys: RedisKeys
  readonly log: Logger
}

/** Control signals by a stream, hints by publish/subscribe. */
export function createRedisSignal({ url, name, link, reader, keys, log }: RedisSignalOptions): RedisSignal {
  const receivers = createReceivers(log)
  const onMessage = (signal: string, payload: unknown): void => {
    // A later version may send what this one does not know.
    if (!isSignalName(signal)) return
    const parsed = signalSchemas[signal].safeParse(payload)
    if (parsed.success) receivers.deliver(signal, parsed.data)
    else log.error({ err: parsed.error, signal }, 'a malformed signal was ignored')
  }
  const control = createRedisControl({
    ...{ link, reader, key: keys.signals, log, onMessage },
    missed: () => receivers.missed('control'),
  })
  const hints = createRedisHints({
    ...{ url, name: `${name}-hints`, link, keys, onMessage },
    missed: () => receivers.missed('hint'),
  })
  return {
    signal: {
      async publish(signal, payload) {
        const parsed = signalSchemas[signal].parse(payload)
        await (isHintName(signal) ? hints.publish(signal, parsed) : control.publish(signal, parsed))
      },
      subscribe(signal, handler) {
        if (isHintName(signal)) hints.listen(signal)
        return receivers.add(signal, handler)
      },
      onMissed: (handler) => receivers.addMissed('control', handler),
      onHintsMissed: (handler) => receivers.addMissed('hint', handler),
    },
    announceFailure: control.announceFailure,
    close() {
      hints.close()
      receivers.clear()
    },
  }
}

const isSignalName = (name: string): name is SignalName => Object.hasOwn(signalSchemas, name)
