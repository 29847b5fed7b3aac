import type { Adapter, HeaderChanges } from './adapter.ts'
import { chatBody } from './openai-chunks.ts'
import { readStream } from './openai-stream.ts'

/** Chat completions by the openai SDK, for OpenAI and everybody who speaks like it. */
export const openaiAdapter: Adapter = async function* (target, messages, signal) {
  // Loaded at the first call: 30 MB that an idle process need not hold.
  const { OpenAI } = await import('openai')
  const client = new OpenAI({
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
  // The SDK's own decoding of the stream takes several times as long for each token.
  const answer = await client.chat.completions.create(chatBody(target, messages), { signal }).asResponse()
  if (answer.body !== null) yield* readStream(answer.body)
}

/** The largest delay a timer takes; the deadlines are kept elsewhere. Milliseconds. */
const noTimeout = 2 ** 31 - 1

const withoutKey = (apiKey: string | undefined): HeaderChanges => (apiKey === undefined ? { authorization: null } : {})
