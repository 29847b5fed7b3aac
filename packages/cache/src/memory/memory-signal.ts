import { type SignalName, type SignalPayload, signalSchemas } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { Signal } from '../ports.ts'

/** A receiver of one engine: handlers for one signal. */
interface Receiver {
  readonly name: SignalName
  readonly handle: (payload: unknown) => void
}

/** The wire between the engines of one process. */
export interface SignalHub {
  open(): { readonly signal: Signal; unsubscribeAll(): void }
  /** Nobody receives anything any more. */
  end(): void
}

/** Delivers after the publisher has gone on, in the order of publication, as a real engine would. */
export function createSignalHub(log: Logger): SignalHub {
  const receivers = new Set<Receiver>()
  const deliver = (name: SignalName, payload: unknown): void => {
    for (const receiver of [...receivers]) {
      // One that a handler before it has ended gets nothing more.
      if (receiver.name !== name || !receivers.has(receiver)) continue
      try {
        receiver.handle(structuredClone(payload))
      } catch (error) {
        log.error({ err: error, signal: name }, 'a signal handler failed')
      }
    }
  }
  return {
    open() {
      const own = new Set<Receiver>()
      return {
        signal: {
          async publish(name, payload) {
            const parsed = signalSchemas[name].parse(payload)
            setImmediate(deliver, name, parsed)
          },
          subscribe<N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void) {
            const receiver: Receiver = { name, handle: (payload) => handler(payload as SignalPayload<N>) }
            receivers.add(receiver)
            own.add(receiver)
            return () => {
              receivers.delete(receiver)
              own.delete(receiver)
            }
          },
          // Nothing comes between a process and its own memory.
          onMissed: () => () => undefined,
          onHintsMissed: () => () => undefined,
        },
        unsubscribeAll() {
          for (const receiver of own) receivers.delete(receiver)
          own.clear()
        },
      }
    },
    end: () => receivers.clear(),
  }
}
