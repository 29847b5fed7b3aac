import { createBusEndpoint, type EventBus } from '@parley/bus'
import type { CacheEngine } from '@parley/cache'
import { createCheapestModel, createHttpApp, every, type Service, type ServiceClient, type Tools } from '@parley/kit'
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

export interface MemoryServiceDeps extends Tools {
  readonly stores: MemoryStores
  readonly bus: EventBus
  readonly cache: Pick<CacheEngine, 'signal' | 'health'>
  /** Calls auth, chat and llm-router. */
  readonly client: ServiceClient
}

/** Interval of purging deleted memories, in milliseconds. */
const tidyMs = 10 * 60 * 1000
/** Polling interval for missing vectors, in milliseconds. */
const makeMs = 2_000
/** Backoff of look-ups and of vector creation after the embedding model failed or was late, in milliseconds. */
const lookUpRest = { firstMs: 5_000, longestMs: 60_000 }
const makingRest = { firstMs: 5_000, longestMs: 5 * 60_000 }

/** The memory service; opens nothing until it is started. */
export function createMemoryService(deps: MemoryServiceDeps): Service {
  const { stores, cache, log, now, newId } = deps
  const { memories, vectors } = stores
  const { signal } = cache
  const index = createMemoryIndex(memories)
  const signalPending = createSignalPending({ memories, signal, log })
  const consolidate = createConsolidator({ memories, index, log })
  const counted = { prefix: 'memory_semantic', purpose: 'to find memories' }
  const semantic = createSemanticReader(createCheapestModel(deps, counted))
  const tidying = every(tidyMs, memories.tidy, { name: 'remove deleted memories', log })
  const embedder = createEmbedder(deps.client, deps.metrics)
  const embedding = { vectors, embedder, log }
  const owners = createOwnerVectors(vectors)
  const findSimilar = createFindSimilar({ ...embedding, owners, rest: createRest(lookUpRest, now) })
  const makeVectors = createVectorMaker({ ...embedding, rest: createRest(makingRest, now) })
  const making = every(makeMs, makeVectors, { name: 'make vectors of memories', log })
  const endpoint = createBusEndpoint(deps)
  let isDraining = false
  return {
    name: 'memory',
    handler: createHttpApp(
      {
        ...deps,
        checks: { store: () => stores.ping() },
        // Without the bus suggestions are delayed; without the cache open windows are updated later.
        optional: { bus: endpoint.health, cache: () => cache.health() },
        draining: () => isDraining,
      },
      (router) => {
        // Fixed paths must precede `/memory/:id`.
        addSuggestionRoutes(router, { memories, consolidate, signalPending })
        addSettingsRoutes(router, { memories, index, newId })
        addMemoryRoutes(router, { memories, consolidate, signalPending })
        addRelevantRoutes(router, { memories, index, findSimilar })
      },
    ),
    async start() {
      await stores.migrate()
      await endpoint.start(memorySubscriptions({ ...deps, signal, semantic }))
      tidying.start()
      making.start()
    },
    drain() {
      isDraining = true
    },
    async stop() {
      isDraining = true
      await Promise.all([endpoint.stop(), tidying.stop(), making.stop()])
    },
  }
}
