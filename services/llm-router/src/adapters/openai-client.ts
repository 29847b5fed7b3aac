import type { OpenAI } from 'openai'
import { clientOptions, type Target } from './adapter.ts'

/** A client of OpenAI's SDK for a single call. */
export async function openaiClient(target: Target): Promise<OpenAI> {
  // Loaded lazily: it takes 30 MB.
  const sdk = await import('openai')
  return new sdk.OpenAI({
    ...clientOptions(target, ['authorization']),
    // Explicit, because the SDK would otherwise read it from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  })
}
