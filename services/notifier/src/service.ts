import { type EventBus, type Relay, startRelay, subscribeAll } from '@parley/bus'
import { createHttpApp, createLagWatch, type Service, type ServiceClient, type Tools } from '@parley/kit'
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
  const { config, stores, bus, client, log, now } = deps
  const { deliveries } = stores
  const mailer = createSmtpMailer(config)
  const compose = (delivery: Delivery) => composeMail({ client, publicUrl: config.PUBLIC_URL, now }, delivery)
  const watch = createQueueWatch({ deliveries, metrics: deps.metrics, log })
  const deliverer = createDeliverer({ deliveries, compose, mailer, watch, log, pace: deps.pace ?? usualPace })
  let draining = false
  let unsubscribe: (() => Promise<void>) | undefined
  let relay: Relay | undefined
  const lag = createLagWatch(deps)
  const checks = { postgres: () => stores.ping(), bus: lag.health }
  return {
    name: 'notifier',
    handler: createHttpApp(
      { ...deps, checks, outbox: stores.outbox, mailQueue: watch.queue, draining: () => draining },
      () => undefined,
    ),
    async start() {
      await stores.migrate()
      const subscriptions = notifierSubscriptions({ ...deps, queued: deliverer.nudge })
      unsubscribe = await subscribeAll(bus, subscriptions)
      lag.start(subscriptions.map(({ group }) => group))
      relay = startRelay({ source: stores.outbox, bus, log })
      deliverer.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      lag.stop()
      await unsubscribe?.()
      await deliverer.stop()
      await relay?.stop()
      mailer.close()
    },
  }
}
