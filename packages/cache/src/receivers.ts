import type { SignalName, SignalPayload } from '@parley/contracts'
import type { Logger } from '@parley/kit'

/** Control signals have a history, hints have none. */
type SignalKind = 'control' | 'hint'

/** The subscribers of one engine. */
export interface Receivers {
  /** Returns how to end it. */
  add<N extends SignalName>(name: N, handler: (payload: SignalPayload<N>) => void): () => void
  /** Returns how to end it. */
  addMissed(kind: SignalKind, handler: () => void): () => void
  /** Gives each subscriber of the name a payload of its own. @param payload as the signal's schema says */
  deliver(name: SignalName, payload: unknown): void
  /** Tells everybody that messages of this kind were missed. */
  missed(kind: SignalKind): void
  clear(): void
}

interface Receiver {
  readonly name: string
  readonly handle: (payload: unknown) => void
}

/** A handler that throws is logged and affects no other. */
export function createReceivers(log: Logger): Receivers {
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
    add: (name, handler) => enter({ name, handle: (payload) => handler(payload as SignalPayload<typeof name>) }),
    addMissed: (kind, handler) => enter({ name: missedOf(kind), handle: handler }),
    deliver,
    missed: (kind) => deliver(missedOf(kind), undefined),
    clear: () => receivers.clear(),
  }
}

/** No signal has this name. */
const missedOf = (kind: SignalKind): string => `(missed ${kind})`
