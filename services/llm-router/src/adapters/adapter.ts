import type { Model, PromptMessage, PromptTool, PromptToolCall } from '@parley/contracts'
import type { Dispatcher } from 'undici'

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
  /** As `fetch`, for calls whose answer is relayed as it comes. */
  readonly dispatcher: Dispatcher
}

/** What a model is asked, in nothing but what it can take. */
export interface Prompt {
  readonly messages: readonly PromptMessage[]
  /** Those it may call; empty for none. */
  readonly tools: readonly PromptTool[]
  /** What a program wants beyond the model's own settings. */
  readonly options?: PromptOptions
}

/** How a program wants its prompt answered; what is left out is as the model has it. */
export interface PromptOptions {
  /** Tokens, at most the model's own. */
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly topK?: number | undefined
  readonly stop?: readonly string[] | undefined
  /** Which tool must be called: none, any, or the one of this name. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined
  readonly parallelToolCalls?: boolean | undefined
  /** JSON instead of text: any object, or one of a schema. */
  readonly format?: 'json' | JsonFormat | undefined
  /** How hard the model is to think. */
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined
  readonly seed?: number | undefined
  readonly user?: string | undefined
}
/** A schema that an answer has to fit. */
export interface JsonFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly strict: boolean
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
 * Speaks one wire format. Makes exactly one call, never retries, and resolves once the provider answers with success; an error carries the provider's `status` and `headers` where it answered.
 * Events that come together are handed on together, never none. The iteration ends soon after `signal` aborts, by an error or just so; one that ends without a `finish` was broken off.
 */
export type Adapter = (
  target: Target,
  prompt: Prompt,
  signal: AbortSignal,
) => Promise<AsyncIterable<readonly ProviderEvent[]>>

/** Headers that fix a model's own ones; null removes what an SDK would send by itself. */
export type HeaderChanges = Record<string, string | null>

/** Tokens that an answer may have: as many as a program asks for, at most the model's own. */
export const maxTokensOf = ({ maxTokens }: Target, options: PromptOptions): number =>
  Math.min(options.maxTokens ?? maxTokens, maxTokens)

/**
 * The field of a request for a temperature. 1 is every provider's own, and models that reason refuse the field.
 * @param highest that the provider takes
 */
export const temperatureOf = (target: Target, highest = 2): { temperature?: number } => {
  const temperature = Math.min(target.temperature, highest)
  return temperature === 1 ? {} : { temperature }
}
