import { isHintName, type SignalName, signalSchemas } from '@parley/contracts'
import type { Signal } from '../ports.ts'
import { createReceivers } from '../receivers.ts'
import { createRedisControl } from './redis-control.ts'
import { createRedisHints } from './redis-hints.ts'
import type { RedisKeys } from './redis-keys.ts'
import type { RedisStreamReader, RedisStreamReaderOptions } from './redis-stream-reader.ts'

export interface RedisSignalOptions extends RedisStreamReaderOptions {
  readonly reader: RedisStreamReader
  readonly keys: RedisKeys
}

/** Control signals by a stream, hints by publish/subscribe. */
export function createRedisSignal({ url, name, link, reader, keys, log }: RedisSignalOptions) {
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
    } satisfies Signal,
    /** Tells everybody that this replica could not publish something, if that is so. @throws RedisUnavailableError */
    announceFailure: control.announceFailure,
    /** Nobody receives any more signals. */
    close(): void {
      hints.close()
      receivers.clear()
    },
  }
}

const isSignalName = (name: string): name is SignalName => Object.hasOwn(signalSchemas, name)
