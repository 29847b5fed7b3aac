import { erasingSubscription, type Subscription } from '@parley/bus'
import type { Logger } from '@parley/kit'
import { type ExportDeps, exportSubscription } from './data-export.ts'
import type { BillingStores } from './store/index.ts'
import type { WarningThreshold } from './warning-threshold.ts'

/** What doing something with events uses. */
export interface ConsumingDeps extends ExportDeps {
  readonly stores: Pick<BillingStores, 'accounts' | 'credits' | 'erasures' | 'exports'>
  readonly log: Logger
}

/** All that billing does with events. @param warningThreshold nobody is warned without it */
export const billingSubscriptions = (
  deps: ConsumingDeps,
  warningThreshold?: WarningThreshold,
): readonly Subscription[] => [
  billingSubscription(deps.stores, warningThreshold),
  exportSubscription(deps),
  erasingSubscription({ ...deps, service: 'billing', erase: deps.stores.erasures.erase }),
]

/**
 * What billing does with registrations and answers. After the last try of an event it is a dead letter, which can be replayed.
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
