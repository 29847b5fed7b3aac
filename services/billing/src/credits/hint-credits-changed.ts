import type { Signal } from '@parley/cache'
import type { Logger } from '@parley/kit'
import type { OnCreditsChanged } from './account.ts'

/** Hints to realtime that credits changed. Best effort: a user who is not told gets the present value with the next change. */
export const hintCreditsChanged =
  (signal: Pick<Signal, 'publish'>, log: Logger): OnCreditsChanged =>
  (userIds) => {
    signal
      .publish('credits-changed', { userIds: [...userIds] })
      .catch((error: unknown) =>
        log.warn({ err: error, users: userIds.length }, 'a change of credits was not signalled'),
      )
  }
