import { type ErasingDeps, erasingSubscription, type Subscription } from '@parley/bus'
import type { Clock } from '@parley/kit'
import type { Stopper } from './generation/stopper.ts'
import type { ChatStores } from './store/index.ts'

/**
 * What chat does with others' events. A ban ends the answers that the user had begun by then; later ones are of a user who was let in again, so that
 * an event that comes late or twice does no harm. After its last try it is dead-lettered; the gateway has cut the user's streams anyway.
 */
export const chatSubscription = (stopper: Pick<Stopper, 'stopAll'>): Subscription => ({
  group: 'chat.bans',
  handlers: {
    'auth.user-banned': async ({ data, at }) => {
      await stopper.stopAll({ ownerId: data.userId, until: new Date(at) }, 'banned')
    },
  },
})

/** What erasing users uses. */
export interface ErasingUsersDeps extends Pick<ErasingDeps, 'client' | 'log'> {
  readonly stores: Pick<ChatStores, 'erasures'>
  readonly now: Clock
}

/** Clocks of replicas differ by less. */
const aDayMs = 24 * 60 * 60 * 1000

/** Erases users whose account was deleted. Their answers are stopped first, so that no provider is paid for what nobody will read. */
export const erasing = ({ stores, client, log, now }: ErasingUsersDeps, stopper: Stopper): Subscription =>
  erasingSubscription({
    ...{ service: 'chat', client, log },
    async erase(userId) {
      await stopper.stopAll({ ownerId: userId, until: new Date(now().getTime() + aDayMs) }, 'user')
      await stores.erasures.erase(userId)
    },
  })
