import type { Signal } from '@parley/cache'
import type { SignalName, SignalPayload } from '@parley/contracts'
import type { Logger } from '@parley/kit'
import type { StoredKey } from './keys/key.ts'

export type Signals = ReturnType<typeof createSignals>

/** Tell other processes of a change after it, and never reject. */
export const createSignals = (signal: Signal, log: Logger) => {
  const publish = <Name extends SignalName>(name: Name, payload: SignalPayload<Name>): Promise<void> =>
    signal.publish(name, payload).catch((error: unknown) => {
      log.warn({ err: error, signal: name }, 'a change could not be signalled')
    })
  return {
    /** Has every replica of every service drop its copy of a key. After an outage of signals they drop all, and each copy also expires by itself. */
    signalKeyChanged: ({ id: keyId, userId }: Pick<StoredKey, 'id' | 'userId'>) =>
      publish('key-changed', { keyId, userId }),
    /** A hint to realtime: a user who is not told gets the present credits with the next change. */
    hintCreditsChanged: (userIds: readonly string[]): void =>
      void publish('credits-changed', { userIds: [...userIds] }),
  }
}
