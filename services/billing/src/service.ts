import { type EventBus, erasingSubscription, type Relay, startRelay } from '@parley/bus'
import {
  type Clock,
  createHttpApp,
  type IdentityCodec,
  type Logger,
  type NewId,
  type Registry,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { billingSubscription } from './consumers.ts'
import { exportSubscription } from './data-export.ts'
import { createHoldSweeper, type SweepTimes } from './hold-sweeper.ts'
import { addAccountRoutes } from './routes/accounts.ts'
import { addCreditRoutes } from './routes/credits.ts'
import { addHoldRoutes } from './routes/holds.ts'
import { addPlanRoutes } from './routes/plans.ts'
import type { BillingStores } from './store/index.ts'
import { createWarningThreshold } from './warning-threshold.ts'

/** All that billing uses; whoever opened it closes it. */
export interface BillingServiceDeps {
  readonly stores: BillingStores
  readonly bus: EventBus
  /** To ask auth. */
  readonly client: ServiceClient
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly newId: NewId
  readonly now: Clock
  readonly sweep?: SweepTimes
}

/** Plans, accounts and the ledger of credits. */
export function createBillingService(deps: BillingServiceDeps): Service {
  const { stores, bus } = deps
  const sweeper = createHoldSweeper(stores.credits, deps.log, deps.sweep)
  const warningThreshold = createWarningThreshold(deps.client, deps.now)
  let draining = false
  const subscriptions: (() => Promise<void>)[] = []
  let relay: Relay | undefined
  const handler = createHttpApp(
    {
      ...deps,
      checks: { postgres: () => stores.ping() },
      // Events wait in the outbox while the bus is away.
      spare: { bus: () => bus.health() },
      draining: () => draining,
    },
    (router) => {
      addCreditRoutes(router, stores)
      addPlanRoutes(router, stores.plans, deps)
      addAccountRoutes(router, stores, deps)
      addHoldRoutes(router, stores.credits, warningThreshold)
    },
  )
  return {
    name: 'billing',
    handler,
    async start() {
      await stores.migrate()
      subscriptions.push(await bus.subscribe(billingSubscription(stores, warningThreshold)))
      subscriptions.push(await bus.subscribe(exportSubscription(deps)))
      subscriptions.push(
        await bus.subscribe(erasingSubscription({ ...deps, service: 'billing', erase: stores.erasures.erase })),
      )
      relay = startRelay({ source: stores.outbox, bus, log: deps.log })
      sweeper.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      const ended = subscriptions.splice(0).map((unsubscribe) => unsubscribe())
      await Promise.all([...ended, sweeper.stop(), relay?.stop()])
    },
  }
}
