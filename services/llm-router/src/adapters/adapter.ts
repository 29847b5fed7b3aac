import type { Model, PromptMessage, PromptTool, PromptToolCall } from '@parley/contracts'

/** A model's address and how to speak to it, ready to be called. */
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
}

/** What a model is asked, in nothing but what it can take. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  /** Those it may call; empty for none. */
  readonly tools: readonly PromptTool[]
}

/** Why a provider ended an answer. */
export type Finish = 'stop' | 'length' | 'tool_calls'

/** What a provider's stream comes down to. `usage` figures are totals so far; later ones replace earlier ones. */
export type ProviderEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'usage'; readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined }
  /** A piece of a call has come: a sign that the model answers. */
  | { readonly type: 'tool-piece' }
  /** A whole call. */
  | { readonly type: 'tool'; readonly call: PromptToolCall }
  | { readonly type: 'finish'; readonly reason: Finish }

/**
 * Speaks one wire format; events that come together are handed on together, never none. The iteration makes exactly one call, never retries, and ends soon after `signal` aborts, by an error or just so.
 * A stream that ends without a `finish` was broken off. Errors carry the provider's `status` and `headers` where it answered.
 */
export type Adapter = (target: Target, prompt: Prompt, signal: AbortSignal) => AsyncIterable<readonly ProviderEvent[]>

/** Headers that fix a model's own ones; null removes what an SDK would send by itself. */
export type HeaderChanges = Record<string, string | null>

/**
 * The field of a request for a temperature. 1 is every provider's own, and models that reason refuse the field.
 * @param highest that the provider takes
 */
export const temperatureOf = (target: Target, highest = 2): { temperature?: number } => {
  const temperature = Math.min(target.temperature, highest)
  return temperature === 1 ? {} : { temperature }
}
