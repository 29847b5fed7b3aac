import type { Signal } from '@parley/cache'
import type { Logger } from '@parley/kit'
import type { StoredKey } from './key.ts'

/** Signals every replica of every service, after the act, to drop its cached copy of a key. Never rejects. */
export type SignalKeyChanged = (key: Pick<StoredKey, 'id' | 'userId'>) => Promise<void>

/** Uses signals. After an outage of signals, receivers drop their copies; each copy also expires by itself. */
export const createSignalKeyChanged =
  (signal: Signal, log: Logger): SignalKeyChanged =>
  async ({ id: keyId, userId }) => {
    await signal
      .publish('key-changed', { keyId, userId })
      .catch((error: unknown) => log.warn({ err: error, keyId }, 'the change of a key could not be signalled'))
  }
