import { createBusEndpoint, type EventBus } from '@parley/bus'
import { createHttpApp, type Service, type ServiceClient, type Tools } from '@parley/kit'
import type { NotifierServiceConfig } from './config.ts'
import { notifierSubscriptions } from './consumers.ts'
import { createDeliverer, type DeliveryPace, usualPace } from './deliverer.ts'
import { composeMail } from './mail/compose.ts'
import { createQueueWatch } from './queue-metrics.ts'
import { createSmtpMailer } from './smtp-mailer.ts'
import type { Delivery } from './store/delivery-store.ts'
import type { NotifierStores } from './store/index.ts'

export interface NotifierServiceDeps extends Omit<Tools, 'newId'> {
  readonly config: NotifierServiceConfig
  readonly stores: NotifierStores
  readonly bus: EventBus
  /** Calls auth. */
  readonly client: ServiceClient
  readonly pace?: DeliveryPace
}

/** Sends mail about account events. */
export function createNotifierService(deps: NotifierServiceDeps): Service {
  const { config, stores, client, log, now } = deps
  const { deliveries } = stores
  const mailer = createSmtpMailer(config)
  const compose = (delivery: Delivery) => composeMail({ client, publicUrl: config.PUBLIC_URL, now }, delivery)
  const watch = createQueueWatch({ deliveries, metrics: deps.metrics, log })
  const deliverer = createDeliverer({ deliveries, compose, mailer, watch, log, pace: deps.pace ?? usualPace })
  let draining = false
  const endpoint = createBusEndpoint({ ...deps, outbox: stores.outbox })
  const checks = { postgres: () => stores.ping(), bus: endpoint.health }
  return {
    name: 'notifier',
    handler: createHttpApp(
      { ...deps, checks, outbox: stores.outbox, mailQueue: watch.queue, draining: () => draining },
      () => undefined,
    ),
    async start() {
      await stores.migrate()
      await endpoint.start(notifierSubscriptions({ ...deps, queued: deliverer.nudge }))
      deliverer.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      // Before the relay, which then still publishes what became of the last mails.
      await deliverer.stop()
      await endpoint.stop()
      mailer.close()
    },
  }
}
