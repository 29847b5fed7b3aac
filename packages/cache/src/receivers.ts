import type { SignalName, SignalPayload } from '@parley/contracts'
import type { Logger } from '@parley/kit'

/** Control signals have a history, hints have none. */
type SignalKind = 'control' | 'hint'

export type Receivers = ReturnType<typeof createReceivers>

interface Receiver {
  readonly name: string
  readonly handle: (payload: unknown) => void
}

/** The subscribers of one engine. A handler that throws is logged and affects no other. */
export function createReceivers(log: Logger) {
  const receivers = new Set<Receiver>()
  const enter = (receiver: Receiver): (() => void) => {
    receivers.add(receiver)
    return () => void receivers.delete(receiver)
  }
  const deliver = (name: string, payload: unknown): void => {
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
    /** Returns how to end it. */
    add: <N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void) =>
      enter({ name, handle: (payload) => handler(payload as SignalPayload<N>) }),
    /** Returns how to end it. */
    addMissed: (kind: SignalKind, handler: () => void) => enter({ name: missedOf(kind), handle: handler }),
    /** Gives each subscriber of the name a payload of its own. @param payload as the signal's schema says */
    deliver,
    /** Tells everybody that messages of this kind were missed. */
    missed: (kind: SignalKind) => deliver(missedOf(kind), undefined),
    clear: () => receivers.clear(),
  }
}

/** No signal has this name. */
const missedOf = (kind: SignalKind): string => `(missed ${kind})`
