import type { Signal } from '@parley/cache'
import type { Logger } from '@parley/kit'
import type { StoredKey } from './key.ts'

/** Tells every replica of every service to drop what it keeps of a key, after the act. Never rejects. */
export type TellKeyChanged = (key: Pick<StoredKey, 'id' | 'userId'>) => Promise<void>

/** Over signals. While they are away receivers drop their copies when they can be told again, and each copy expires by itself. */
export const createTellKeyChanged =
  (signal: Signal, log: Logger): TellKeyChanged =>
  async ({ id: keyId, userId }) => {
    await signal
      .publish('key-changed', { keyId, userId })
      .catch((error: unknown) => log.warn({ err: error, keyId }, 'the change of a key could not be signalled'))
  }
