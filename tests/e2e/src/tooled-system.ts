import {
  type FakeProvider,
  type FakeQuotes,
  type FakeSearch,
  startFakeProvider,
  startFakeQuotes,
  startFakeSearch,
} from '@parley/testing'
import { expect } from 'vitest'
import { asAdmin, configure } from './people.ts'
import { type System, startSystem } from './system.ts'

/** A system with web search, prices, a model that reads files and one that draws. */
export interface TooledSystem {
  readonly system: System
  readonly provider: FakeProvider
  readonly search: FakeSearch
  readonly quotes: FakeQuotes
  close(): Promise<void>
}

/** Names of the two models that are added to those of every system. */
export const addedModels = { reader: 'Reader Six', painter: 'Painter One' } as const

const common = { provider: 'deepseek', group: 'Tests', enabled: true, creditsPerMessage: 2, apiEndpoint: '' } as const

/** Starts it on fresh data; verification of addresses is off. */
export async function startTooledSystem(): Promise<TooledSystem> {
  const [provider, search, quotes] = await Promise.all([startFakeProvider(), startFakeSearch(), startFakeQuotes()])
  const system = await startSystem({
    provider: provider.openaiUrl,
    environment: {
      EXA_API_KEY: 'a key of the fake search',
      EXA_BASE_URL: search.url,
      QUOTES_API_KEY: 'a key of the fake prices',
      QUOTES_BASE_URL: quotes.url,
    },
  })
  await configure(system, { emailVerificationRequired: false })
  const admin = await asAdmin(system)
  const reader = { supportsImageAttachments: true, supportsFileAttachments: true, supportsTools: true }
  for (const model of [
    { ...common, id: 'reader-6', name: addedModels.reader, modelType: 'text', ...reader },
    { ...common, id: 'painter-1', name: addedModels.painter, modelType: 'image' },
  ]) {
    expect((await admin.api.post('/api/admin/models', model)).status).toBe(201)
  }
  await admin.close()
  return {
    system,
    provider,
    search,
    quotes,
    close: async () => {
      await system.dispose()
      await Promise.all([provider.close(), search.close(), quotes.close()])
    },
  }
}
