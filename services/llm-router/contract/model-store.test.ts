import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing'
import { openLlmRouterStores } from '../src/store/index.ts'
import { type ModelStoreEngine, modelStoreContract } from '../src/store/model-store.contract.ts'

async function openPg(): Promise<ModelStoreEngine> {
  const database = await testDatabase()
  const stores = openLlmRouterStores({ url: database.url, log: createLogger('test', 'silent') })
  // Two replicas may start at the same time.
  await Promise.all([stores.migrate(), stores.migrate()])
  return {
    models: stores.models,
    async close() {
      await stores.close()
      await database.drop()
    },
  }
}

/** Every engine with a registry. */
const engines: Readonly<Record<string, () => Promise<ModelStoreEngine>>> = { PostgreSQL: openPg }
for (const [name, open] of Object.entries(engines)) modelStoreContract(name, open)
