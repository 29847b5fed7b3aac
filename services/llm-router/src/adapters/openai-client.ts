import type { OpenAI } from 'openai'
import { clientOptions, requestHeaders, type Target } from './adapter.ts'
import { knownClients } from './known-clients.ts'

const clientOf = knownClients(
  (sdk: typeof import('openai'), target) =>
    new sdk.OpenAI({
      ...clientOptions(target),
      // Explicit, because the SDK would otherwise read it from the environment.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
    }),
)

/** A client of OpenAI's SDK. Its calls need the target's own `openaiOptions`. */
export async function openaiClient(target: Target): Promise<OpenAI> {
  // Loaded lazily: it takes 30 MB.
  return clientOf(await import('openai'), target)
}

/** The options of one call to a target. */
export const openaiOptions = (target: Target, signal: AbortSignal) => ({
  headers: requestHeaders(target, ['authorization']),
  signal,
})
