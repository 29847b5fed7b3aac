import { eventBus } from '@parley/bus'
import { cacheEngine } from '@parley/cache'
import { keyWindowService } from '@parley/contracts'
import { defineService, storesOnPostgres } from '@parley/kit'
import { z } from 'zod'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/index.ts'),
  consumers: () => import('./consumers.ts'),
}

/** Plans, accounts, the ledger of credits and API keys. */
export const billing = defineService({
  name: 'billing',
  modules,
  calls: ['auth'],
  engines: {
    stores: storesOnPostgres(async (options) => (await modules.stores()).openBillingStores(options)),
    bus: eventBus,
    cache: cacheEngine,
  },
  variables: {
    /**
     * Days for which an ended hold is kept; the ledger keeps its cost forever. Must exceed the 30 days in which an event may be
     * redelivered.
     */
    HOLD_RETENTION_DAYS: z.coerce.number().int().min(35, 'must be at least 35').max(3_650).default(90),
  },
  async create(deps) {
    const { createBillingService } = await modules.service()
    const { stores, bus, cache } = deps.engines
    const { HOLD_RETENTION_DAYS: holdRetentionDays } = deps.config
    const keyWindows = cache.counterOf(keyWindowService)
    return createBillingService({ ...deps, stores, bus, signal: cache.signal, keyWindows, holdRetentionDays })
  },
  async subscriptions(deps) {
    const { billingSubscriptions } = await modules.consumers()
    return billingSubscriptions({ ...deps, ...deps.engines })
  },
})
