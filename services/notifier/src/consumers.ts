import { type Subscription, type UserDataDeps, userDataSubscriptions } from '@parley/bus'
import { type ExportFile, jsonLines, newId } from '@parley/kit'
import type { Delivery, DeliveryStore } from './store/delivery-store.ts'
import type { NotifierStores } from './store/index.ts'
import type { MailHistory } from './store/mail-history.ts'

export interface ConsumingDeps extends Pick<UserDataDeps, 'client' | 'log'> {
  readonly stores: Pick<NotifierStores, 'deliveries' | 'erasures' | 'history'>
  /** Called when a mail was queued. */
  readonly queued: () => void
}

/** The event subscriptions of notifier. */
export const notifierSubscriptions = (deps: ConsumingDeps): readonly Subscription[] => [
  mailSubscription(deps.stores.deliveries, deps.queued),
  ...userDataSubscriptions({
    ...deps,
    newId,
    service: 'notifier',
    filesOf: (userId) => exportedFiles(deps.stores.history, userId),
    erase: deps.stores.erasures.erase,
  }),
]

async function* exportedFiles(history: MailHistory, userId: string): AsyncGenerator<ExportFile> {
  yield { path: 'mails.json', content: jsonLines(await history.ofUser(userId)) }
}

/** Queues a mail per event; sending is asynchronous, so that an unavailable SMTP server does not block the bus. */
function mailSubscription(deliveries: DeliveryStore, queued: () => void): Subscription {
  const queue = async (mail: Partial<Delivery> & Pick<Delivery, 'eventId' | 'kind' | 'subjectId'>) => {
    await deliveries.queue({ userId: null, about: null, ...mail })
    queued()
  }
  return {
    group: 'notifier.mails',
    handlers: {
      'auth.verification-requested': ({ id, data: { userId, verificationId } }) =>
        queue({ eventId: id, kind: 'verification', subjectId: verificationId, userId }),
      'auth.password-reset-requested': ({ id, data: { resetId } }) =>
        queue({ eventId: id, kind: 'password-reset', subjectId: resetId }),
      'auth.password-changed': ({ id, at, data: { userId } }) =>
        queue({ eventId: id, kind: 'password-changed', subjectId: userId, userId, about: { at } }),
      'auth.identity-linked': ({ id, at, data: { userId } }) =>
        queue({ eventId: id, kind: 'identity-linked', subjectId: userId, userId, about: { at } }),
      'auth.email-changed': ({ id, data: { userId, emailChangeId } }) =>
        queue({ eventId: id, kind: 'email-changed', subjectId: emailChangeId, userId }),
      'auth.data-export-ready': ({ id, data: { userId, exportId } }) =>
        queue({ eventId: id, kind: 'data-export', subjectId: exportId, userId }),
      // The user is gone; only the erasure can be referenced.
      'auth.user-erased': ({ id, data: { erasureId } }) =>
        queue({ eventId: id, kind: 'account-deleted', subjectId: erasureId }),
      'billing.credit-warning-reached': ({ id, data: { userId, usagePercentage, resetDate } }) =>
        queue({
          eventId: id,
          kind: 'credit-warning',
          subjectId: userId,
          userId,
          about: { usagePercentage, resetDate },
        }),
    },
  }
}
