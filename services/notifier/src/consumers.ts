import type { Subscription } from '@parley/bus'
import type { DeliveryStore } from './store/delivery-store.ts'

/**
 * What notifier does with events: each only queues its mail, so an SMTP server that is away holds nothing up.
 * @param queued called when there is a new one
 */
export const notifierSubscription = (deliveries: DeliveryStore, queued: () => void): Subscription => ({
  group: 'notifier.mails',
  handlers: {
    'auth.verification-requested': async ({ id, data }) => {
      await deliveries.queue({ eventId: id, kind: 'verification', subjectId: data.verificationId })
      queued()
    },
    'auth.email-changed': async ({ id, data }) => {
      await deliveries.queue({ eventId: id, kind: 'email-changed', subjectId: data.emailChangeId })
      queued()
    },
  },
})
