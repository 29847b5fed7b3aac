import { eventBus } from '@parley/bus'
import { defineService, serversOfUrl, storesOnPostgres } from '@parley/kit'
import { notifierVariables } from './config.ts'

const modules = {
  service: () => import('./service.ts'),
  stores: () => import('./store/index.ts'),
  consumers: () => import('./consumers.ts'),
  examine: () => import('./examine.ts'),
}

/** Sends mail about account events. */
export const notifier = defineService({
  name: 'notifier',
  modules,
  calls: ['auth'],
  reachesOutside: true,
  engines: {
    stores: storesOnPostgres(async (options) => (await modules.stores()).openNotifierStores(options)),
    bus: eventBus,
  },
  variables: notifierVariables,
  // Every browser depends on the public address, and so does every mail, which links to it.
  servers: ({ SMTP_URL, PUBLIC_URL }) => [...serversOfUrl(SMTP_URL), ...serversOfUrl(PUBLIC_URL)],
  examine: async (config) => (await modules.examine()).examineMail(config),
  async create(deps) {
    const { createNotifierService } = await modules.service()
    return createNotifierService({ ...deps, ...deps.engines })
  },
  async subscriptions(deps) {
    const { notifierSubscriptions } = await modules.consumers()
    // A running notifier, or the next one to start, polls the queue.
    return notifierSubscriptions({ ...deps, ...deps.engines, queued: () => undefined })
  },
})
