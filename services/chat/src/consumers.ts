import { type Subscription, type UserDataDeps, userDataSubscriptions } from '@parley/bus'
import type { Clock } from '@parley/kit'
import { createStopAll, type StopAll, type StopAllDeps } from './generation/stopper.ts'
import type { ChatStores } from './store/index.ts'
import { exportedFiles } from './transfer/data-export.ts'

export interface ConsumingDeps extends Pick<StopAllDeps, 'signal'>, Pick<UserDataDeps, 'client' | 'log' | 'newId'> {
  readonly stores: ChatStores
  /** Aborts when the service stops: another replica then starts over with an export. */
  readonly stopping: AbortSignal
  readonly now: Clock
}

/** Clocks of replicas differ by less. */
const aDayMs = 24 * 60 * 60 * 1000

/** All that chat does with events. */
export function chatSubscriptions(deps: ConsumingDeps): readonly Subscription[] {
  const { stores, now } = deps
  const stopAll = createStopAll({ ...deps, generations: stores.generations })
  return [
    banSubscription(stopAll),
    ...userDataSubscriptions({
      ...deps,
      service: 'chat',
      filesOf: (userId) => exportedFiles(stores, userId),
      /** Answers are stopped first, so that no provider is paid for text that nobody will read. */
      async erase(userId) {
        await stopAll({ ownerId: userId, until: new Date(now().getTime() + aDayMs) }, 'user')
        await stores.erasures.erase(userId)
      },
    }),
  ]
}

/**
 * A ban ends the answers that the user had begun by then; later ones are of a user who was let in again, so that
 * an event that comes late or twice does no harm. After its last try it is dead-lettered; the gateway has cut the user's streams anyway.
 */
const banSubscription = (stopAll: StopAll): Subscription => ({
  group: 'chat.bans',
  handlers: {
    'auth.user-banned': async ({ data, at }) => {
      await stopAll({ ownerId: data.userId, until: new Date(at) }, 'banned')
    },
  },
})
