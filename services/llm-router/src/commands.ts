import { type Commands, createLogger, migrateStores } from '@parley/kit'
import { readLlmRouterMigrationConfig } from './config.ts'
import { openLlmRouterStores } from './store/index.ts'

/** What an operator may do to llm-router besides running it. */
export const llmRouterCommands: Commands = {
  /** Brings the store up to date. */
  async migrate() {
    const { POSTGRES_URL: url, LOG_LEVEL } = readLlmRouterMigrationConfig()
    const log = createLogger('llm-router', LOG_LEVEL)
    await migrateStores(openLlmRouterStores({ url, log }), log)
  },
}
