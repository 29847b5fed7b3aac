import { fileURLToPath } from 'node:url'
import type { OutboxSource } from '@parley/bus'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import type { Logger, StoreReport } from '@parley/kit'
import type { ErasureStore } from './erasure-store.ts'
import type { ModelStore } from './model-store.ts'
import { createPgErasureStore } from './pg-erasure-store.ts'
import { createPgModelStore } from './pg-model-store.ts'
import { createPgRequestStore } from './pg-request-store.ts'
import { createPgResponseStore } from './pg-response-store.ts'
import type { RequestStore } from './request-store.ts'
import type { ResponseStore } from './response-store.ts'
import type { LlmRouterTables } from './tables.ts'

const schema = 'llm_router'
const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The service's stores on one engine. */
export interface LlmRouterStores {
  readonly models: ModelStore
  readonly erasures: ErasureStore
  readonly requests: RequestStore
  readonly responses: ResponseStore
  /** The outbox, for the relay. */
  readonly outbox: OutboxSource
  /** Migrates the schema, and seeds the registry of a new installation. */
  migrate(): Promise<void>
  /** Rejects when the engine is unavailable. */
  ping(): Promise<void>
  /** The server's version, and pending migrations. */
  inspect(): Promise<StoreReport>
  close(): Promise<void>
}

/** Opens the stores in the schema `llm_router`; connects on demand. */
export function openLlmRouterStores(options: { url: string; log: Logger; max?: number }): LlmRouterStores {
  const database = openPostgres<LlmRouterTables>({ ...options, schema })
  const outbox = openPgOutbox({ ...options, schema })
  const models = createPgModelStore(database)
  return {
    models,
    erasures: createPgErasureStore(database),
    requests: createPgRequestStore(database),
    responses: createPgResponseStore(database),
    outbox,
    migrate: () => migrate({ url: options.url, schema, dir: migrations, log: options.log }),
    ping: () => database.ping(),
    inspect: () => inspectPostgres({ url: options.url, schema, dir: migrations }),
    async close() {
      await models.recorded()
      await Promise.all([outbox.close(), database.close()])
    },
  }
}
