import { openPgStores } from '@parley/db'
import type { Logger } from '@parley/kit'
import { createPgErasureStore } from './pg-erasure-store.ts'
import { createPgModelStore } from './pg-model-store.ts'
import { createPgRequestStore } from './pg-request-store.ts'
import { createPgResponseStore } from './pg-response-store.ts'
import type { LlmRouterTables } from './tables.ts'

const migrations = new URL('../../migrations', import.meta.url)

/** The service's stores on one engine. */
export type LlmRouterStores = ReturnType<typeof openLlmRouterStores>

/** Opens the stores in the schema `llm_router`; connects on demand. */
export function openLlmRouterStores(options: { url: string; log: Logger; max?: number }) {
  const { postgres, common } = openPgStores<LlmRouterTables>({ ...options, schema: 'llm_router', migrations })
  const models = createPgModelStore(postgres)
  return {
    ...common,
    models,
    erasures: createPgErasureStore(postgres),
    requests: createPgRequestStore(postgres),
    responses: createPgResponseStore(postgres),
    async close(): Promise<void> {
      await models.recorded()
      await common.close()
    },
  }
}
