import { eventBus } from '@parley/bus'
import { defineService, storesOnPostgres } from '@parley/kit'
import { notifierVariables } from './config.ts'

/** Sends mails for what happened. */
export const notifier = defineService({
  name: 'notifier',
  calls: ['auth'],
  engines: {
    stores: storesOnPostgres(async (options) => (await import('./store/index.ts')).openNotifierStores(options)),
    bus: eventBus,
  },
  variables: notifierVariables,
  async create(deps) {
    const { createNotifierService } = await import('./service.ts')
    return createNotifierService({ ...deps, ...deps.engines })
  },
  async subscriptions(deps) {
    const { notifierSubscriptions } = await import('./consumers.ts')
    // The notifier that runs, or starts next, finds what was queued by itself.
    return notifierSubscriptions({ ...deps, ...deps.engines, queued: () => undefined })
  },
})
