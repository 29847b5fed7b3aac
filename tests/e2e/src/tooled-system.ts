import { freePort } from '@parley/kit'
import { startFakeProvider, startFakeQuotes, startFakeSearch } from '@parley/testing'
import { expect } from 'vitest'
import { asAdmin, configure } from './people.ts'
import { type System, startSystem } from './system.ts'

/** A system with web search, stock prices, a model that reads files and one that generates images. */
export type TooledSystem = Awaited<ReturnType<typeof startTooledSystem>>

/** Names of the two models added to the built-in ones. */
export const addedModels = { reader: 'Reader Six', painter: 'Painter One' } as const

const common = { provider: 'deepseek', group: 'Tests', enabled: true, creditsPerMessage: 2, apiEndpoint: '' } as const

/** Starts it on fresh data, with additional variables; e-mail verification is off. */
export async function startTooledSystem(further: Readonly<Record<string, string>> = {}) {
  const [provider, search, quotes] = await Promise.all([startFakeProvider(), startFakeSearch(), startFakeQuotes()])
  const options = {
    provider: provider.openaiUrl,
    environment: {
      PORT: String(await freePort()),
      EXA_API_KEY: 'a key of the fake search',
      EXA_BASE_URL: search.url,
      QUOTES_API_KEY: 'a key of the fake prices',
      QUOTES_BASE_URL: quotes.url,
      ...further,
    },
  }
  let system = await startSystem(options)
  await configure(system, { emailVerificationRequired: false })
  await addModels(system)
  return {
    /** The running instance; `startAgain` replaces it. */
    get system() {
      return system
    },
    provider,
    search,
    quotes,
    /** Restarts the stopped or killed system on the same data and address. */
    async startAgain(): Promise<void> {
      system = await startSystem({ ...options, dataDir: system.dataDir })
    },
    close: async (): Promise<void> => {
      await system.dispose()
      await Promise.all([provider.close(), search.close(), quotes.close()])
    },
  }
}

async function addModels(system: System): Promise<void> {
  const admin = await asAdmin(system)
  const reader = { supportsImageAttachments: true, supportsFileAttachments: true, supportsTools: true }
  for (const model of [
    { ...common, id: 'reader-6', name: addedModels.reader, modelType: 'text', ...reader },
    { ...common, id: 'painter-1', name: addedModels.painter, modelType: 'image' },
  ]) {
    expect((await admin.api.post('/api/admin/models', model)).status).toBe(201)
  }
  await admin.close()
}
