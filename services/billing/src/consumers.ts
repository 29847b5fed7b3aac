import type { Subscription } from '@parley/bus'
import { isAppError } from '@parley/kit'
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
      await accounts.read(data.userId).catch((error: unknown) => {
        // Erased before this was heard of.
        if (!isAppError(error, 'not_found')) throw error
      })
    },
    'chat.generation-finished': async ({ id, data: { generationId, userId, charge } }) => {
      // A guest's answer is paid by the allowance.
      if (userId === null) return
      await credits.settleFinished(id, { generationId, userId, charge }, await warningThreshold())
    },
  },
})
