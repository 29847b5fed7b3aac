import { fileURLToPath } from 'node:url'
import { migrate, openPostgres } from '@parley/db'
import type { Logger } from '@parley/kit'
import type { ModelStore } from './model-store.ts'
import { createPgModelStore } from './pg-model-store.ts'
import type { LlmRouterTables } from './tables.ts'

const schema = 'llm_router'
const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/** The service's stores over one engine. */
export interface LlmRouterStores {
  readonly models: ModelStore
  /** Brings the schema up to date and seeds the registry of a new installation. */
  migrate(): Promise<void>
  /** Rejects when the engine cannot be asked. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Opens the stores in the schema `llm_router`; connects on demand. */
export function openLlmRouterStores(options: { url: string; log: Logger; max?: number }): LlmRouterStores {
  const database = openPostgres<LlmRouterTables>({ ...options, schema })
  return {
    models: createPgModelStore(database),
    migrate: () => migrate({ url: options.url, schema, dir: migrations, log: options.log }),
    ping: () => database.ping(),
    close: () => database.close(),
  }
}
