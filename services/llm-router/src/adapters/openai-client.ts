import type { OpenAI } from 'openai'
import type { HeaderChanges, Target } from './adapter.ts'

/** A client of the openai SDK for one call, which it neither repeats nor ends by itself. */
export async function openaiClient(target: Target): Promise<OpenAI> {
  // Loaded at the first call: 30 MB that an idle process need not hold.
  const sdk = await import('openai')
  return new sdk.OpenAI({
    apiKey: target.apiKey ?? 'none',
    // Told, or the SDK would look into the environment for them.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: target.baseUrl,
    defaultHeaders: { ...withoutKey(target.apiKey), ...target.headers },
    fetch: target.fetch,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: 'off',
  })
}

/** The largest delay a timer takes; the deadlines are kept elsewhere. Milliseconds. */
const noTimeout = 2 ** 31 - 1

const withoutKey = (apiKey: string | undefined): HeaderChanges => (apiKey === undefined ? { authorization: null } : {})
