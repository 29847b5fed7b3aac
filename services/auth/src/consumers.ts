import type { Subscription } from '@parley/bus'
import { erasureSubscription } from './account-data/reconcile-erasures.ts'
import type { AuthStores } from './store/index.ts'
import { keepMailOutcome } from './verification/mail-outcome.ts'

type Stores = Pick<AuthStores, 'audit' | 'dataExports' | 'erasures' | 'verifications'>

/** All that auth does with events. */
export const authSubscriptions = (stores: Stores): readonly Subscription[] => [
  auditSubscription(stores),
  erasureSubscription(stores),
]

/** Adds acts of admins in other services to the one audit log, once each, and records whether mails were delivered. */
const auditSubscription = (stores: Omit<Stores, 'erasures'>): Subscription => ({
  group: 'auth.audit',
  handlers: {
    'billing.admin-acted': (event) => stores.audit.record(event.id, new Date(event.at), event.data),
    'llm-router.admin-acted': (event) => stores.audit.record(event.id, new Date(event.at), event.data),
    'notifier.mail-settled': (event) => keepMailOutcome(stores, event.data),
  },
})
