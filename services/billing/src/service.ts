import { type EventBus, type Relay, startRelay, subscribeAll } from '@parley/bus'
import type { CounterView, Signal } from '@parley/cache'
import {
  type Clock,
  createHttpApp,
  createLagWatch,
  every,
  type IdentityCodec,
  type Logger,
  type NewId,
  type Periodic,
  type Registry,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { billingSubscriptions } from './consumers.ts'
import { hintCreditsChanged } from './credits/hint-credits-changed.ts'
import { createHoldSweeper, type SweepTimes } from './hold-sweeper.ts'
import { createSignalKeyChanged } from './keys/key-changes.ts'
import { createOwners } from './keys/owners.ts'
import { createPresentKeys } from './keys/present-key.ts'
import { createUsedKeys } from './keys/used-keys.ts'
import { createMoneyCheck } from './money/money-check.ts'
import { measureMoney } from './money-metrics.ts'
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
import type { BillingStores } from './store/index.ts'
import { createUsageCounter } from './usage/usage-counter.ts'

/** Billing's dependencies; the caller that opened them closes them. */
export interface BillingServiceDeps {
  readonly stores: BillingStores
  readonly bus: EventBus
  /** Signals changes of keys and credits. */
  readonly signal: Signal
  /** The rate limit windows of keys, counted by llm-router. */
  readonly keyWindows: CounterView
  /** Calls auth. */
  readonly client: ServiceClient
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly newId: NewId
  readonly now: Clock
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
  const { stores, bus, log } = deps
  const settings = createRecentSettings(deps.client, deps.now)
  const used = createUsedKeys(stores.keys, log)
  const periodicTasks: readonly Periodic[] = [used, ...createPeriodicTasks(deps)]
  const owners = createOwners(deps.client, log)
  const keyDeps = {
    owners,
    present: createPresentKeys({ settings, usage: stores.usage, owners, windows: deps.keyWindows, log }),
    signalKeyChanged: createSignalKeyChanged(deps.signal, log),
    newId: deps.newId,
    now: deps.now,
  }
  const lag = createLagWatch(deps)
  let draining = false
  let unsubscribe: (() => Promise<void>) | undefined
  let relay: Relay | undefined
  const handler = createHttpApp(
    {
      ...deps,
      checks: { postgres: () => stores.ping() },
      // Events wait in the outbox while the bus is unavailable.
      optional: { bus: lag.health },
      outbox: stores.outbox,
      draining: () => draining,
    },
    (router) => {
      // The most frequent calls first: Express matches routes in sequence.
      addHoldRoutes(router, stores.credits, settings, deps.now)
      addCreditRoutes(router, stores, settings)
      addPlanRoutes(router, stores, deps)
      addAccountRoutes(router, stores, deps)
      addKeyRoutes(router, { ...keyDeps, keys: stores.keys, used })
      addAdminKeyRoutes(router, { ...keyDeps, keys: stores.keyAdmin })
      addUsageRoutes(router, stores, deps.now)
      addUndoRoute(router, { ...keyDeps, stores })
      addMoneyRoutes(router, stores, deps.now)
      addLimitRoutes(router, stores, deps.now)
    },
  )
  return {
    name: 'billing',
    handler,
    async start() {
      await stores.migrate()
      const subscriptions = billingSubscriptions(deps, settings)
      unsubscribe = await subscribeAll(bus, subscriptions)
      lag.start(subscriptions.map(({ group }) => group))
      stores.onCreditsChanged(hintCreditsChanged(deps.signal, log))
      relay = startRelay({ source: stores.outbox, bus, log })
      for (const task of periodicTasks) task.start()
    },
    drain() {
      draining = true
    },
    async stop() {
      draining = true
      lag.stop()
      await Promise.all([unsubscribe?.(), relay?.stop(), ...periodicTasks.map((task) => task.stop())])
    },
  }
}

function createPeriodicTasks(deps: BillingServiceDeps): Periodic[] {
  const { stores, log } = deps
  const { credits, money, planMoves, requests, usage } = stores
  const onAlarm = measureMoney(deps)
  return [
    createHoldSweeper({ credits, retentionDays: deps.holdRetentionDays, log, times: deps.sweep }),
    createUsageCounter(usage, log),
    createMoneyCheck({ money, onAlarm, log, everyMs: deps.moneyCheckMs }),
    createPlanMover({ moves: planMoves, log, everyMs: deps.planMoveMs }),
    every(3_600_000, () => requests.sweep(), { name: 'forget old requests', log }),
  ]
}
