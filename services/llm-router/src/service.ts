import { type EventBus, type Relay, startRelay, subscribeAll } from '@parley/bus'
import type { Counter, Signal } from '@parley/cache'
import type { Model } from '@parley/contracts'
import {
  type Clock,
  createHttpApp,
  createLagWatch,
  type IdentityCodec,
  type Logger,
  type Registry as Metrics,
  type NewId,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { createEgress, createEndpointGuard, type ResolveHost, resolveBySystem } from '@parley/kit/egress'
import { imageAdapters } from './adapters/image-adapters.ts'
import { adapters } from './adapters/index.ts'
import { measureCalls } from './call-metrics.ts'
import { createKeptPrompts } from './completion/kept-prompts.ts'
import { createRetryBudget } from './completion/retry-budget.ts'
import { targetOf } from './completion/target.ts'
import { defaultTimeouts, type Timeouts } from './completion/timeouts.ts'
import type { LlmRouterConfig } from './config.ts'
import { llmRouterSubscriptions } from './consumers.ts'
import { createRegistry } from './registry.ts'
import { addAdminModelRoutes } from './routes/admin-models.ts'
import { addHierarchyRoute } from './routes/hierarchy.ts'
import { addInternalRoutes } from './routes/internal.ts'
import type { LlmRouterStores } from './store/index.ts'

/** Everything the service uses. */
export interface LlmRouterDeps {
  readonly config: LlmRouterConfig
  readonly stores: Omit<LlmRouterStores, 'close'>
  readonly counter: Counter
  readonly signal: Signal
  readonly bus: EventBus
  /** To tell auth. */
  readonly client: ServiceClient
  readonly identity: IdentityCodec
  readonly metrics: Metrics
  readonly log: Logger
  readonly now: Clock
  readonly newId: NewId
  /** Instead of the product's own. */
  readonly timeouts?: Partial<Timeouts>
  /** Retries that each provider has in reserve; 10 unless told. */
  readonly retryReserve?: number
  /** Instead of the system's resolver. */
  readonly resolveHost?: ResolveHost
}

/** The service of models: the registry, and every call of a provider. */
export function createLlmRouterService(deps: LlmRouterDeps): Service {
  const { config, stores, bus, signal, counter, log } = deps
  const timeouts = { ...defaultTimeouts, ...deps.timeouts }
  const guard = createEndpointGuard(config.allowedPrivateHosts, deps.resolveHost ?? resolveBySystem)
  const egress = createEgress(guard, timeouts.connect)
  const registry = createRegistry(stores.models, deps.now)
  const answers = {
    registry,
    counter,
    timeouts,
    log,
    store: stores.models,
    prompts: createKeptPrompts(),
    budget: createRetryBudget(deps.retryReserve),
    observe: measureCalls(deps.metrics),
    adapterOf: (model: Pick<Model, 'sdkType'>) => adapters[model.sdkType],
    imageAdapterOf: (model: Pick<Model, 'sdkType'>) => imageAdapters[model.sdkType],
    fetchOutside: egress.guarded,
    targetOf: (model: Model) => targetOf(model, config.providers[model.provider], egress),
  }
  const lag = createLagWatch(deps)
  const state = { draining: false }
  let relay: Relay | undefined
  const subscriptions: (() => void | Promise<void>)[] = []
  return {
    name: 'llm-router',
    handler: createHttpApp(
      {
        ...deps,
        checks: { postgres: stores.ping },
        // Events wait in the outbox while the bus is away.
        optional: { bus: lag.health },
        draining: () => state.draining,
      },
      (router) => {
        addHierarchyRoute(router, { registry, providers: config.providers })
        addAdminModelRoutes(router, { store: stores.models, registry, guard, signal, log }, deps)
        addInternalRoutes(router, answers)
      },
    ),
    async start() {
      await stores.migrate()
      const consuming = llmRouterSubscriptions(deps)
      subscriptions.push(await subscribeAll(bus, consuming))
      lag.start(consuming.map(({ group }) => group))
      relay = startRelay({ source: stores.outbox, bus, log })
      for (const name of ['models-changed', 'caches-cleared'] as const) {
        subscriptions.push(signal.subscribe(name, () => registry.drop()))
      }
      subscriptions.push(signal.onMissed(() => registry.drop()))
    },
    drain() {
      state.draining = true
    },
    async stop() {
      state.draining = true
      lag.stop()
      const ended = subscriptions.splice(0).map((unsubscribe) => unsubscribe())
      await Promise.all([...ended, egress.close(), relay?.stop()])
    },
  }
}
