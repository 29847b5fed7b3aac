import type { Subscription } from '@parley/bus'
import type { BillingStores } from './store/index.ts'

/** What billing does with events. After the last try of an event it is a dead letter, which can be replayed. */
export const billingSubscription = ({
  accounts,
  credits,
}: Pick<BillingStores, 'accounts' | 'credits'>): Subscription => ({
  group: 'billing.accounts-and-settlements',
  handlers: {
    'auth.user-registered': async ({ data }) => {
      await accounts.read(data.userId)
    },
    'chat.generation-finished': async ({ id, data: { generationId, userId, charge } }) => {
      // A guest's answer is paid by the allowance.
      if (userId !== null) await credits.settleFinished(id, { generationId, userId, charge })
    },
  },
})
