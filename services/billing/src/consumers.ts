import type { Subscription } from '@parley/bus'
import type { BillingStores } from './store/index.ts'
import type { WarningThreshold } from './warning-threshold.ts'

/**
 * What billing does with events. After the last try of an event it is a dead letter, which can be replayed.
 * @param warningThreshold nobody is warned without it
 */
export const billingSubscription = (
  { accounts, credits }: Pick<BillingStores, 'accounts' | 'credits'>,
  warningThreshold: WarningThreshold = async () => undefined,
): Subscription => ({
  group: 'billing.accounts-and-settlements',
  handlers: {
    'auth.user-registered': async ({ data }) => {
      // Nothing is made for a user who was erased before this was heard of.
      await accounts.ensure(data.userId)
    },
    'chat.generation-finished': async ({ id, data: { generationId, userId, charge } }) => {
      // A guest's answer is paid by the allowance.
      if (userId === null) return
      await credits.settleFinished(id, { generationId, userId, charge }, await warningThreshold())
    },
  },
})
