import type { Subscription } from '@parley/bus'
import { keepMailOutcome } from './mail-outcome.ts'
import type { AuthStores } from './store/index.ts'

/** What auth does with events: what admins did in other services goes into the one audit log, once each, and what became of mails to what they were about. */
export const authSubscription = (
  stores: Pick<AuthStores, 'audit' | 'dataExports' | 'verifications'>,
): Subscription => ({
  group: 'auth.audit',
  handlers: {
    'billing.admin-acted': (event) => stores.audit.record(event.id, new Date(event.at), event.data),
    'llm-router.admin-acted': (event) => stores.audit.record(event.id, new Date(event.at), event.data),
    'notifier.mail-settled': (event) => keepMailOutcome(stores, event.data),
  },
})
