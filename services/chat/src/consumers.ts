import { type ErasingDeps, erasingSubscription, type Subscription } from '@parley/bus'
import type { Clock } from '@parley/kit'
import { createStopAll, type StopAll, type StopAllDeps } from './generation/stopper.ts'
import type { ChatStores } from './store/index.ts'
import { type ExportDeps, exportSubscription } from './transfer/data-export.ts'

export interface ConsumingDeps extends ExportDeps, Pick<StopAllDeps, 'signal'>, Pick<ErasingDeps, 'client' | 'log'> {
  readonly stores: ChatStores
  readonly now: Clock
}

/** All that chat does with events. */
export function chatSubscriptions(deps: ConsumingDeps): readonly Subscription[] {
  const { generations } = deps.stores
  const stopAll = createStopAll({ ...deps, generations })
  return [banSubscription(stopAll), erasing(deps, stopAll), exportSubscription(deps)]
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

/** Clocks of replicas differ by less. */
const aDayMs = 24 * 60 * 60 * 1000

/** Erases users whose account was deleted. Their answers are stopped first, so that no provider is paid for text that nobody will read. */
const erasing = ({ stores, client, log, now }: ConsumingDeps, stopAll: StopAll): Subscription =>
  erasingSubscription({
    ...{ service: 'chat', client, log },
    async erase(userId) {
      await stopAll({ ownerId: userId, until: new Date(now().getTime() + aDayMs) }, 'user')
      await stores.erasures.erase(userId)
    },
  })
