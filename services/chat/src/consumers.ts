import type { Subscription } from '@parley/bus'
import type { Stopper } from './generation/stopper.ts'

/**
 * What chat does with others' events. A ban ends the answers that the user had begun by then; later ones are of a user who was let in again, so that
 * an event that comes late or twice does no harm. After its last try it is dead-lettered; the gateway has cut the user's streams anyway.
 */
export const chatSubscription = (stopper: Stopper): Subscription => ({
  group: 'chat.bans',
  handlers: {
    'auth.user-banned': async ({ data, at }) => {
      await stopper.stopAll({ ownerId: data.userId, until: new Date(at) }, 'banned')
    },
  },
})
