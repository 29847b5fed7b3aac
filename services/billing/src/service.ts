import { createBusEndpoint, type EventBus } from '@parley/bus'
import type { CounterView, Signal } from '@parley/cache'
import { createHttpApp, every, type Periodic, type Service, type ServiceClient, type Tools } from '@parley/kit'
import { billingSubscriptions } from './consumers.ts'
import { createHoldSweeper, type SweepTimes } from './hold-sweeper.ts'
import { createOwners } from './keys/owners.ts'
import { createPresentKeys } from './keys/present-key.ts'
import { createUsedKeys } from './keys/used-keys.ts'
import { createMoneyCheck } from './money/money-check.ts'
import { measureMoney } from './money-metrics.ts'
import type { BillingParts } from './parts.ts'
import { createPlanMover } from './plan-mover.ts'
import { createRecentSettings } from './recent-settings.ts'
import { addAccountRoutes } from './routes/accounts.ts'
import { addAdminKeyRoutes } from './routes/admin-keys.ts'
import { addCreditRoutes } from './routes/credits.ts'
import { addHoldRoutes } from './routes/holds.ts'
import { addKeyRoutes } from './routes/keys.ts'
import { addLimitRoutes } from './routes/limits.ts'
import { addMoneyRoutes } from './routes/money.ts'
import { addPlanRoutes } from './routes/plans.ts'
import { addUndoRoute } from './routes/undo.ts'
import { addUsageRoutes } from './routes/usage.ts'
import { createSignals } from './signals.ts'
import type { BillingStores } from './store/index.ts'
import { createUsageCounter } from './usage/usage-counter.ts'

/** Billing's dependencies; the caller that opened them closes them. */
export interface BillingServiceDeps extends Tools {
  readonly stores: BillingStores
  readonly bus: EventBus
  /** Signals changes of keys and credits. */
  readonly signal: Signal
  /** The rate limit windows of keys, counted by llm-router. */
  readonly keyWindows: CounterView
  /** Calls auth. */
  readonly client: ServiceClient
  readonly sweep?: SweepTimes
  /** Milliseconds between checks for days that are due; a minute by default. */
  readonly moneyCheckMs?: number
  /** Milliseconds between checks for unfinished moves of a plan's users; ten seconds by default. */
  readonly planMoveMs?: number
  /** Days for which ended holds are kept. */
  readonly holdRetentionDays: number
}

/** Plans, accounts and the ledger of credits. */
export function createBillingService(deps: BillingServiceDeps): Service {
  const { stores } = deps
  const parts = createParts(deps)
  const periodicTasks: readonly Periodic[] = [parts.used, ...createPeriodicTasks(deps)]
  const endpoint = createBusEndpoint({ ...deps, outbox: stores.outbox })
  let draining = false
  const handler = createHttpApp(
    {
      ...deps,
      checks: { postgres: () => stores.ping() },
      // Events wait in the outbox while the bus is unavailable.
      optional: { bus: endpoint.health },
      outbox: stores.outbox,
      draining: () => draining,
    },
    (router) => {
      // The most frequent calls first: Express matches routes in sequence.
      addHoldRoutes(router, parts)
      addCreditRoutes(router, parts)
      addPlanRoutes(router, parts)
      addAccountRoutes(router, parts)
      addKeyRoutes(router, parts)
      addAdminKeyRoutes(router, parts)
      addUsageRoutes(router, parts)
      addUndoRoute(router, parts)
      addMoneyRoutes(router, parts)
      addLimitRoutes(router, parts)
    },
  )
  return {
    name: 'billing',
    handler,
    async start() {
      await stores.migrate()
      await endpoint.start(billingSubscriptions(deps, parts.settings))
      stores.onCreditsChanged(parts.hintCreditsChanged)
      for (const task of periodicTasks) task.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      await Promise.all([endpoint.stop(), ...periodicTasks.map((task) => task.stop())])
    },
  }
}

function createParts({ stores, client, signal, keyWindows, log, now, newId }: BillingServiceDeps): BillingParts {
  const settings = createRecentSettings(client, now)
  const owners = createOwners(client, log)
  return {
    ...{ stores, settings, owners, now, newId },
    present: createPresentKeys(settings, stores, owners, keyWindows, log),
    used: createUsedKeys(stores.keys, log),
    ...createSignals(signal, log),
  }
}

function createPeriodicTasks(deps: BillingServiceDeps): Periodic[] {
  const { stores, log } = deps
  const { credits, money, planMoves, requests, usage } = stores
  const onAlarm = measureMoney(stores, deps.metrics, deps.now)
  return [
    createHoldSweeper({ credits, retentionDays: deps.holdRetentionDays, log, times: deps.sweep }),
    createUsageCounter(usage, log),
    createMoneyCheck(money, onAlarm, log, deps.moneyCheckMs),
    createPlanMover(planMoves, log, deps.planMoveMs),
    every(3_600_000, () => requests.sweep(), { name: 'forget old requests', log }),
  ]
}
