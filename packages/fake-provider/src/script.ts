import type { ProviderRequest, RecordedPrompt } from './request.ts'

/** The wire format of a call: chat completions, messages, or OpenAI's embeddings and images. */
export type Wire = 'openai' | 'anthropic' | 'embeddings' | 'images'

/** A tool call of a scripted answer; its arguments are sent as JSON text in two chunks. */
export interface ScriptedToolCall {
  /** Without it OpenAI's format has none; Anthropic's always has one. */
  readonly id?: string
  readonly name: string
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Replaces the arguments by these raw chunks. */
  readonly pieces?: readonly string[]
  /** The call's index in OpenAI's format; by default its index in the list, null for none. */
  readonly index?: number | null
}

/** The image of a scripted answer: base64, a URL, or none. */
export type ScriptedImage =
  | { readonly base64: string; readonly revisedPrompt?: string }
  | { readonly url: string }
  | 'none'

/** Tokens of a prompt and its answer. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The answer to one call. By default that of a healthy provider. */
export interface ProviderScript {
  /** The answer, split into words; `chunks` replaces them, optionally as an async iterable. */
  readonly text?: string
  readonly chunks?: readonly string[] | AsyncIterable<string>
  /** Chunks of reasoning before the text. */
  readonly reasoning?: readonly string[]
  /** The field of reasoning in OpenAI's format; `reasoning_content` by default. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** The answer to an image request; a tiny PNG by default. */
  readonly image?: ScriptedImage
  /** Synonyms for embeddings, in lower case: with `{ nut: 'hazelnut' }` texts with either word are similar. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** The usage reported at the end; `none` omits it. */
  readonly usage?: Usage | 'none'
  /** In OpenAI's terms; translated for Anthropic's format. */
  readonly finishReason?: 'stop' | 'length' | 'tool_calls'
  /** Milliseconds before each chunk. */
  readonly delayMs?: number
  /** Hangs: before the status, before the first frame, or after this many chunks. */
  readonly hang?: 'before-headers' | 'before-first' | { readonly after: number }
  /** Pauses after this many chunks until the promise resolves; an answer without a stream only pauses at 0. */
  readonly pause?: { readonly after: number; readonly until: Promise<unknown> }
  /** An error response with this body; by default in the format's error shape. */
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the response cleanly after this many chunks, without a finish reason. */
  readonly endAfterChunks?: number
  /** Destroys the socket after this many chunks. */
  readonly cutAfterChunks?: number
  /** Sends an error frame in the stream after this many chunks, then ends. */
  readonly errorFrameAfter?: number
  /** A web page with status 200, an event with malformed JSON after the first chunk, or invalid UTF-8. */
  readonly garbage?: 'page' | 'json' | 'utf8'
  /** Splits network chunks inside every multi-byte character. */
  readonly splitUtf8?: boolean
  /** Ends lines with CR LF. */
  readonly crlf?: boolean
}

/** A received call. Times are `performance.now()` of this process, in milliseconds. */
export interface ProviderCall {
  readonly wire: Wire
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed JSON body, or the raw text if it is not JSON. */
  readonly body: ProviderRequest
  /** The prompt in the body, uniform for all formats. */
  readonly prompt: RecordedPrompt
  readonly startedAt: number
  /** Chunks of text, reasoning and arguments sent so far. */
  sentChunks: number
  /** When the answer was complete. */
  finishedAt?: number
  /** When the client disconnected before that. */
  abortedAt?: number
}

/** The text chunks of a script, in order. */
export const textPieces = ({ chunks, text = '' }: ProviderScript): readonly string[] | AsyncIterable<string> =>
  chunks ?? text.match(/\S+\s*|\s+/g) ?? []

/** The chunks of a call's arguments. */
export function argumentPieces({ pieces, parameters = {} }: ScriptedToolCall): readonly string[] {
  const text = JSON.stringify(parameters)
  const middle = Math.ceil(text.length / 2)
  return pieces ?? [text.slice(0, middle), text.slice(middle)]
}

/** The finish reason: the script's, or derived from its content. */
export const finishReason = ({ finishReason: given, toolCalls }: ProviderScript) =>
  given ?? (toolCalls === undefined ? 'stop' : 'tool_calls')

/** The usage that a script reports: its own, or the numbers of messages and of text chunks sent. */
export function scriptedUsage({ usage }: ProviderScript, { messages }: ProviderRequest, sent: number) {
  return usage === 'none' ? undefined : (usage ?? { inputTokens: messages?.length ?? 0, outputTokens: sent })
}
