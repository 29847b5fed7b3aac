import { type Subscription, type UserDataDeps, userDataSubscriptions } from '@parley/bus'
import type { End } from './credits/account.ts'
import { type ExportStores, exportedFiles } from './data-export.ts'
import type { RecentSettings } from './recent-settings.ts'
import type { FinishedGeneration } from './store/credit-store.ts'
import type { BillingStores } from './store/index.ts'

export interface ConsumingDeps extends Pick<UserDataDeps, 'client' | 'log' | 'newId'> {
  readonly stores: ExportStores & Pick<BillingStores, 'accounts' | 'credits' | 'erasures' | 'money'>
}

/** All subscriptions of billing. @param settings without them no usage warning is given */
export const billingSubscriptions = (deps: ConsumingDeps, settings?: RecentSettings): readonly Subscription[] => [
  billingSubscription(deps.stores, settings),
  ...userDataSubscriptions({
    ...deps,
    service: 'billing',
    filesOf: (userId) => exportedFiles(deps.stores, userId),
    erase: deps.stores.erasures.erase,
  }),
]

/**
 * Handles registrations, answers, and requests by key. After its last attempt an event becomes a dead letter, which can be replayed.
 * @param settings without them no usage warning is given
 */
export const billingSubscription = (
  { accounts, credits, money }: Pick<BillingStores, 'accounts' | 'credits' | 'money'>,
  settings: RecentSettings = async () => undefined,
): Subscription => {
  const settle = async (id: string, at: string, { generationId, userId, charge, ...end }: Finished): Promise<void> => {
    const finished = { generationId, userId, charge, end: { ...end, at: new Date(at) } }
    await credits.settleFinished(id, finished, (await settings())?.creditWarningThreshold)
  }
  return {
    group: 'billing.accounts-and-settlements',
    // Events handed over together are settled in one transaction.
    keysAtOnce: 64,
    handlers: {
      'auth.user-registered': async ({ data }) => {
        // Does nothing for a user who has been erased meanwhile.
        await accounts.ensure(data.userId)
      },
      'chat.generation-finished': async ({ id, at, data: { userId, source = 'web', responseMs = null, ...data } }) => {
        // A guest's answer is charged to the guest allowance.
        if (userId === null) return
        await settle(id, at, { ...data, userId, source, responseMs, keyId: null })
      },
      'llm-router.provider-used': ({ data }) => money.keepProviderDay(data),
      'llm-router.request-finished': ({ id, at, data }) => settle(id, at, { ...data, source: 'key' }),
    },
  }
}

type Finished = Omit<FinishedGeneration, 'end'> & Omit<End, 'at'>
