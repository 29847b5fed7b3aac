import type { Subscription } from '@parley/bus'
import type { EventOf } from '@parley/contracts'
import { erasureSubscription } from './account-data/reconcile-erasures.ts'
import type { Signals } from './signals.ts'
import type { AuthStores } from './store/index.ts'
import { keepMailOutcome } from './verification/mail-outcome.ts'

type Stores = Pick<AuthStores, 'audit' | 'dataExports' | 'erasures' | 'verifications'>

/** All that auth does with events. */
export const authSubscriptions = (
  stores: Stores,
  signals: Pick<Signals, 'signalAdminActed'>,
): readonly Subscription[] => [auditSubscription(stores, signals), erasureSubscription(stores)]

/** Adds acts of admins in other services to the one audit log, once each, and records whether mails were delivered. */
function auditSubscription(
  stores: Omit<Stores, 'erasures'>,
  { signalAdminActed }: Pick<Signals, 'signalAdminActed'>,
): Subscription {
  const record = async (event: EventOf<'billing.admin-acted' | 'llm-router.admin-acted'>): Promise<void> => {
    await stores.audit.record(event.id, new Date(event.at), event.data)
    await signalAdminActed()
  }
  return {
    group: 'auth.audit',
    handlers: {
      'billing.admin-acted': record,
      'llm-router.admin-acted': record,
      'notifier.mail-settled': (event) => keepMailOutcome(stores, event.data),
    },
  }
}
