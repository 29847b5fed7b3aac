import type { Model, PromptMessage, PromptTool, PromptToolCall } from '@parley/contracts'
import type { Dispatcher } from 'undici'

/** A model's address and credentials, ready to be called. */
export interface Target {
  readonly provider: Model['provider']
  readonly baseUrl: string
  /** Undefined for hosts that must not see the provider's key. */
  readonly apiKey: string | undefined
  readonly apiModelName: string
  readonly maxTokens: number
  readonly temperature: number
  readonly thinks: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
  /** Dispatcher of `fetch`, for calls whose answer is relayed unchanged. */
  readonly dispatcher: Dispatcher
}

/** A prompt reduced to what the model supports. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  /** The tools the model may call; may be empty. */
  readonly tools: readonly PromptTool[]
  /** A program's options beyond the model's own settings. */
  readonly options?: PromptOptions
}

/** A program's options; omitted ones default to the model's settings. */
export interface PromptOptions {
  /** Maximum number of tokens, capped by the model's own. */
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly stop?: readonly string[] | undefined
  /** Forced tool choice: none, any, or the one with this name. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined
  readonly parallelToolCalls?: boolean | undefined
  /** JSON output instead of text: any object, or one that matches a schema. */
  readonly format?: 'json' | JsonFormat | undefined
  /** Reasoning effort. */
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined
  readonly seed?: number | undefined
  readonly user?: string | undefined
}
/** A JSON schema for the answer. */
export interface JsonFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly strict: boolean
}

/** Why a provider ended an answer; `content_filter` when it refused to go on. */
export type Finish = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** Running totals of an answer's tokens; later ones replace earlier ones. */
export interface UsageEvent {
  readonly type: 'usage'
  /** All of the prompt, including cached ones. */
  readonly inputTokens?: number | undefined
  /** Those of the prompt that were read from the provider's cache. */
  readonly cachedTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

/** The normalised events of a provider's stream. */
export type ProviderEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | UsageEvent
  /** Part of a call has arrived: a sign that the model is answering. */
  | { readonly type: 'tool-piece' }
  /** A complete call. */
  | { readonly type: 'tool'; readonly call: PromptToolCall }
  | { readonly type: 'finish'; readonly reason: Finish }

/**
 * Makes exactly one call, never retries, and resolves once the provider responds with success; errors carry the provider's `status` and `headers`, if any.
 * Yields batches of events that arrived together; an empty one is a sign of life. Ends soon after `signal` aborts, with or without an error; without a
 * `finish` event the answer was cut off.
 */
export type ProviderCall = (signal: AbortSignal) => Promise<AsyncIterable<readonly ProviderEvent[]>>

/** Implements one wire format: builds the request of a call, so that what cannot be translated fails before it. */
export type Adapter = (target: Target, prompt: Prompt) => ProviderCall

/** The maximum delay of a timer in milliseconds; deadlines are enforced elsewhere. */
const noTimeout = 2 ** 31 - 1

/** The options of an SDK's client, without its own retries and timeout. */
export const clientOptions = ({ apiKey, baseUrl, fetch }: Pick<Target, 'apiKey' | 'baseUrl' | 'fetch'>) => ({
  apiKey: apiKey ?? 'none',
  baseURL: baseUrl,
  fetch,
  maxRetries: 0,
  timeout: noTimeout,
  logLevel: 'off' as const,
})

/**
 * The headers of a request through an SDK's client. Null removes one that the SDK adds.
 * @param keyHeaders headers for the key, which are not sent if there is none
 */
export const requestHeaders = ({ apiKey, headers }: Target, keyHeaders: readonly string[]) => ({
  ...(apiKey === undefined && Object.fromEntries(keyHeaders.map((name) => [name, null]))),
  ...headers,
})

/** Maximum tokens of an answer: as requested by the program, capped by the model's own. */
export const maxTokensOf = ({ maxTokens }: Target, options: PromptOptions): number =>
  Math.min(options.maxTokens ?? maxTokens, maxTokens)

/**
 * The temperature field of a request. Omitted for 1, the default of every provider, because reasoning models refuse the field.
 * @param highest the provider's maximum
 */
export const temperatureOf = (target: Target, highest = 2): { temperature?: number } => {
  const temperature = Math.min(target.temperature, highest)
  return temperature === 1 ? {} : { temperature }
}
