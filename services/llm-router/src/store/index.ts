import { fileURLToPath } from 'node:url'
import { inspectPostgres, migrate, openPgOutbox, openPostgres } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createPgErasureStore } from './pg-erasure-store.ts'
import { createPgModelStore } from './pg-model-store.ts'
import { createPgRequestStore } from './pg-request-store.ts'
import { createPgResponseStore } from './pg-response-store.ts'
import type { LlmRouterTables } from './tables.ts'

const schema = 'llm_router'
const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The service's stores on one engine. */
export type LlmRouterStores = ReturnType<typeof openLlmRouterStores>

/** Opens the stores in the schema `llm_router`; connects on demand. */
export function openLlmRouterStores(options: { url: string; log: Logger; max?: number }) {
  const database = openPostgres<LlmRouterTables>({ ...options, schema })
  const outbox = openPgOutbox({ ...options, schema })
  const models = createPgModelStore(database)
  return {
    models,
    erasures: createPgErasureStore(database),
    requests: createPgRequestStore(database),
    responses: createPgResponseStore(database),
    /** For the relay. */
    outbox,
    /** Migrates the schema, and seeds the registry of a new installation. */
    migrate: () => migrate({ url: options.url, schema, dir: migrations, log: options.log }),
    /** Rejects when the engine is unavailable. */
    ping: () => database.ping(),
    /** The server's version, and pending migrations. */
    inspect: () => inspectPostgres({ url: options.url, schema, dir: migrations }),
    async close(): Promise<void> {
      await models.recorded()
      await Promise.all([outbox.close(), database.close()])
    },
  }
}
