import type { OpenAI } from 'openai'
import type { HeaderChanges, Target } from './adapter.ts'

/** An openai SDK client for a single call, without its own retries and timeout. */
export async function openaiClient(target: Target): Promise<OpenAI> {
  // Loaded lazily: it takes 30 MB.
  const sdk = await import('openai')
  return new sdk.OpenAI({
    apiKey: target.apiKey ?? 'none',
    // Explicit, because the SDK would otherwise read it from the environment.
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

/** The maximum delay of a timer in milliseconds; deadlines are enforced elsewhere. */
const noTimeout = 2 ** 31 - 1

const withoutKey = (apiKey: string | undefined): HeaderChanges => (apiKey === undefined ? { authorization: null } : {})
