import { type EventBus, subscribeAll } from '@parley/bus'
import type { CacheEngine } from '@parley/cache'
import {
  type Clock,
  createCheapestModel,
  createHttpApp,
  createLagWatch,
  every,
  type IdentityCodec,
  type Logger,
  type NewId,
  type Registry,
  type Service,
  type ServiceClient,
} from '@parley/kit'
import { createConsolidator } from './consolidator.ts'
import { memorySubscriptions } from './consumers.ts'
import { createSignalPending } from './pending-changes.ts'
import { createMemoryIndex } from './relevance/memory-index.ts'
import { addMemoryRoutes } from './routes/memory-routes.ts'
import { addRelevantRoutes } from './routes/relevant-routes.ts'
import { addSettingsRoutes } from './routes/settings-routes.ts'
import { addSuggestionRoutes } from './routes/suggestion-routes.ts'
import { createSemanticReader } from './semantic/semantic-reader.ts'
import type { MemoryStores } from './store/index.ts'
import { createEmbedder } from './vectors/embedder.ts'
import { createOwnerVectors } from './vectors/owner-vectors.ts'
import { createRest } from './vectors/rest.ts'
import { createFindSimilar } from './vectors/similar-memories.ts'
import { createVectorMaker } from './vectors/vector-maker.ts'

export interface MemoryServiceDeps {
  readonly stores: MemoryStores
  readonly bus: EventBus
  readonly cache: Pick<CacheEngine, 'signal' | 'health'>
  /** To ask auth, chat and llm-router. */
  readonly client: ServiceClient
  readonly identity: IdentityCodec
  readonly metrics: Registry
  readonly log: Logger
  readonly now: Clock
  readonly newId: NewId
}

/** Between two looks at what can be restored no longer, in milliseconds. */
const tidyMs = 10 * 60 * 1000
/** Between two looks at whose memories lack vectors, in milliseconds. */
const makeMs = 2_000
/** For which nothing is compared, or made, once the model for vectors failed or was late; in milliseconds. */
const lookUpRest = { firstMs: 5_000, longestMs: 60_000 }
const makingRest = { firstMs: 5_000, longestMs: 5 * 60_000 }

/** The service of memories; opens nothing until it is started. */
export function createMemoryService(deps: MemoryServiceDeps): Service {
  const { stores, bus, cache, log, now, newId } = deps
  const { memories, vectors } = stores
  const { signal } = cache
  const index = createMemoryIndex(memories)
  const signalPending = createSignalPending({ memories, signal, log })
  const consolidate = createConsolidator({ memories, index, log })
  const counted = { prefix: 'memory_semantic', purpose: 'to find memories' }
  const semantic = createSemanticReader(createCheapestModel(deps, counted))
  const tidying = every(tidyMs, () => memories.tidy(), { name: 'remove deleted memories', log })
  const embedder = createEmbedder(deps.client, deps.metrics)
  const embedding = { vectors, embedder, log }
  const owners = createOwnerVectors(vectors)
  const findSimilar = createFindSimilar({ ...embedding, owners, rest: createRest(lookUpRest, now) })
  const makeVectors = createVectorMaker({ ...embedding, rest: createRest(makingRest, now) })
  const making = every(makeMs, makeVectors, { name: 'make vectors of memories', log })
  const lag = createLagWatch(deps)
  let isDraining = false
  let unsubscribe: (() => Promise<void>) | undefined
  return {
    name: 'memory',
    handler: createHttpApp(
      {
        ...deps,
        checks: { store: () => stores.ping() },
        // Suggestions come later without the bus, and open windows are told later without the cache.
        optional: { bus: lag.health, cache: () => cache.health() },
        draining: () => isDraining,
      },
      (router) => {
        // Paths of one word come before `/memory/:id`.
        addSuggestionRoutes(router, { memories, consolidate, signalPending })
        addSettingsRoutes(router, { memories, index, newId })
        addMemoryRoutes(router, { memories, consolidate, signalPending })
        addRelevantRoutes(router, { memories, index, findSimilar })
      },
    ),
    async start() {
      await stores.migrate()
      const subscriptions = memorySubscriptions({ ...deps, signal, semantic })
      unsubscribe = await subscribeAll(bus, subscriptions)
      lag.start(subscriptions.map(({ group }) => group))
      tidying.start()
      making.start()
    },
    drain() {
      isDraining = true
    },
    async stop() {
      isDraining = true
      lag.stop()
      await unsubscribe?.()
      await Promise.all([tidying.stop(), making.stop()])
    },
  }
}
