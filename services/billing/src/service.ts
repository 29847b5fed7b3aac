import { type EventBus, type Relay, startRelay, subscribeAll } from '@parley/bus'
import {
  type Clock,
  createHttpApp,
  createLagWatch,
  type IdentityCodec,
  type Logger,
  type NewId,
  type Registry,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { billingSubscriptions } from './consumers.ts'
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
  /** Days that a hold is kept after it was over. */
  readonly holdRetentionDays: number
}

/** Plans, accounts and the ledger of credits. */
export function createBillingService(deps: BillingServiceDeps): Service {
  const { stores, bus } = deps
  const { credits } = stores
  const sweeper = createHoldSweeper({
    credits,
    retentionDays: deps.holdRetentionDays,
    log: deps.log,
    times: deps.sweep,
  })
  const warningThreshold = createWarningThreshold(deps.client, deps.now)
  const lag = createLagWatch(deps)
  let draining = false
  let unsubscribe: (() => Promise<void>) | undefined
  let relay: Relay | undefined
  const handler = createHttpApp(
    {
      ...deps,
      checks: { postgres: () => stores.ping() },
      // Events wait in the outbox while the bus is away.
      optional: { bus: lag.health },
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
      const subscriptions = billingSubscriptions(deps, warningThreshold)
      unsubscribe = await subscribeAll(bus, subscriptions)
      lag.start(subscriptions.map(({ group }) => group))
      relay = startRelay({ source: stores.outbox, bus, log: deps.log })
      sweeper.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      lag.stop()
      await Promise.all([unsubscribe?.(), sweeper.stop(), relay?.stop()])
    },
  }
}
