import { createBusEndpoint, type EventBus } from '@parley/bus'
import type { Counter, Signal, StreamLog } from '@parley/cache'
import type { Model } from '@parley/contracts'
import {
  createHttpApp,
  createLiveSettings,
  createRequestCounts,
  every,
  type Service,
  type ServiceClient,
  type Tools,
} from '@parley/kit'
import { createEgress, createEndpointGuard, type ResolveHost, resolveBySystem } from '@parley/kit/egress'
import { imageAdapters } from './adapters/image-adapters.ts'
import { adapters } from './adapters/index.ts'
import { createFinishedRequests } from './api/finished-requests.ts'
import { createIdempotency } from './api/idempotency.ts'
import { createPayments } from './api/payments.ts'
import { createStoredResponses } from './api/stored-responses.ts'
import { watchBreakers } from './breaker-metrics.ts'
import { measureCalls } from './call-metrics.ts'
import { createAccounts } from './completion/accounts.ts'
import { type BreakerRules, createCircuitBreaker } from './completion/circuit-breaker.ts'
import { createKeptPrompts } from './completion/kept-prompts.ts'
import { createRetryBudget } from './completion/retry-budget.ts'
import { targetOf } from './completion/target.ts'
import { defaultTimeouts, type Timeouts } from './completion/timeouts.ts'
import type { LlmRouterConfig } from './config.ts'
import { llmRouterSubscriptions } from './consumers.ts'
import { createRegistry } from './registry.ts'
import { addAdminModelRoutes } from './routes/admin-models.ts'
import { addApiRoutes } from './routes/api.ts'
import { addHierarchyRoute } from './routes/hierarchy.ts'
import { addInternalRoutes } from './routes/internal.ts'
import type { LlmRouterStores } from './store/index.ts'

export interface LlmRouterDeps extends Tools {
  readonly config: LlmRouterConfig
  readonly stores: Omit<LlmRouterStores, 'close'>
  readonly counter: Counter
  readonly signal: Signal
  readonly streamLog: StreamLog
  readonly bus: EventBus
  /** Calls auth and billing. */
  readonly client: ServiceClient
  /** Overrides the default timeouts. */
  readonly timeouts?: Partial<Timeouts>
  /** Reserve of retries per provider; 10 by default. */
  readonly retryReserve?: number
  /** Overrides the default breaker rules. */
  readonly breaker?: BreakerRules
  /** Overrides the system's resolver. */
  readonly resolveHost?: ResolveHost
}

/** The model service: the registry, and all calls to providers. */
export function createLlmRouterService(deps: LlmRouterDeps): Service {
  const { config, stores, signal, counter, log } = deps
  const timeouts = { ...defaultTimeouts, ...deps.timeouts }
  const guard = createEndpointGuard(config.allowedPrivateHosts, deps.resolveHost ?? resolveBySystem)
  const egress = createEgress(guard, timeouts.connect)
  const registry = createRegistry(stores.models, deps.now)
  const accounts = createAccounts((provider) => config.providers[provider].apiKeys)
  const breaker = createCircuitBreaker(deps.breaker)
  const breakers = watchBreakers(registry, breaker, deps.metrics)
  const answers = {
    registry,
    counter,
    signal,
    timeouts,
    log,
    store: stores.models,
    prompts: createKeptPrompts(),
    budget: createRetryBudget(deps.retryReserve),
    breaker,
    observe: measureCalls(deps.metrics),
    adapterOf: (model: Pick<Model, 'sdkType'>) => adapters[model.sdkType],
    imageAdapterOf: (model: Pick<Model, 'sdkType'>) => imageAdapters[model.sdkType],
    fetchOutside: egress.guarded,
    accounts,
    targetOf: (model: Model, tried?: ReadonlySet<string>) =>
      targetOf(model, config.providers[model.provider], egress, () => accounts.next(model.provider, tried)),
  }
  const settings = createLiveSettings(deps.client, deps.now)
  const counts = createRequestCounts(deps)
  const payments = createPayments(deps)
  const finished = createFinishedRequests(stores.requests.recordFinished, log)
  const idempotency = createIdempotency({ ...deps, store: stores.requests })
  const stored = createStoredResponses({ store: stores.responses, retentionDays: config.responseRetentionDays, log })
  const endpoint = createBusEndpoint({ ...deps, outbox: stores.outbox })
  const state = { draining: false }
  // Keeps today's figures on the dashboard at most half a minute old.
  const publishingCosts = every(5_000, () => stores.models.publishProviderDays(), {
    name: 'publish the costs of providers',
    log,
  })
  const signals: (() => void)[] = []
  return {
    name: 'llm-router',
    handler: createHttpApp(
      {
        ...deps,
        checks: { postgres: stores.ping },
        // Events wait in the outbox while the bus is unavailable.
        optional: { bus: endpoint.health },
        outbox: stores.outbox,
        breakers: breakers.list,
        draining: () => state.draining,
      },
      (router) => {
        // The most frequent calls first: Express matches routes in sequence.
        addApiRoutes(router, {
          ...answers,
          ...{ settings, counts, payments, finished, idempotency, stored, client: deps.client },
          now: deps.now,
          newId: deps.newId,
        })
        addHierarchyRoute(router, { registry, breakers, providers: config.providers })
        addAdminModelRoutes(router, { ...answers, guard }, deps)
        addInternalRoutes(router, { ...answers, providers: config.providers })
      },
    ),
    async start() {
      await stores.migrate()
      await endpoint.start(llmRouterSubscriptions(deps))
      payments.start()
      idempotency.start()
      stored.start()
      publishingCosts.start()
      counts.start()
      const dropAll = (): void => {
        registry.drop()
        settings.drop()
      }
      signals.push(
        signal.subscribe('models-changed', () => registry.drop()),
        signal.subscribe('settings-changed', () => settings.drop()),
        signal.subscribe('caches-cleared', dropAll),
        signal.onMissed(dropAll),
      )
    },
    drain() {
      state.draining = true
    },
    async stop() {
      state.draining = true
      for (const end of signals.splice(0)) end()
      await Promise.all([
        endpoint.stop(),
        egress.close(),
        idempotency.stop(),
        stored.stop(),
        publishingCosts.stop(),
        counts.stop(),
        payments.stop(),
        finished.stop(),
      ])
    },
  }
}
