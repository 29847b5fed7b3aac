import type { Subscription } from '@parley/bus'
import type { AuthStores } from './store/index.ts'

/** What auth does with events: what admins did in other services goes into the one audit log, once each. */
export const authSubscription = ({ audit }: Pick<AuthStores, 'audit'>): Subscription => ({
  group: 'auth.audit',
  handlers: {
    'billing.admin-acted': (event) => audit.record(event.id, new Date(event.at), event.data),
    'llm-router.admin-acted': (event) => audit.record(event.id, new Date(event.at), event.data),
  },
})
