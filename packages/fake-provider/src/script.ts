import type { ProviderRequest, RecordedPrompt } from './request.ts'

/** Which wire format a call used: chat completions, messages, or OpenAI's ways to make embeddings and images. */
export type Wire = 'openai' | 'anthropic' | 'embeddings' | 'images'

/** A tool call that a scripted answer asks for; its arguments are sent as JSON text in two pieces, each a piece of the answer. */
export interface ScriptedToolCall {
  /** Left out, OpenAI's format carries none; Anthropic's always has one. */
  readonly id?: string
  readonly name: string
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The pieces of the arguments' text instead, whatever they are. */
  readonly pieces?: readonly string[]
  /** The number that OpenAI's format gives the call; its place in the list unless told, null for none. */
  readonly index?: number | null
}

/** The image that a scripted answer carries: bytes as base64, an address, or no image at all. */
export type ScriptedImage =
  | { readonly base64: string; readonly revisedPrompt?: string }
  | { readonly url: string }
  | 'none'

/** Tokens of a prompt and of its answer. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** How one call is answered. Everything left out is as a healthy provider does it. */
export interface ProviderScript {
  /** The answer, cut into words; `chunks` gives the pieces instead, also as they come to be. */
  readonly text?: string
  readonly chunks?: readonly string[] | AsyncIterable<string>
  /** Pieces of reasoning sent before the text. */
  readonly reasoning?: readonly string[]
  /** The field that carries reasoning in OpenAI's format; `reasoning_content` unless told. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** What a call that makes an image is given; a tiny PNG unless told. */
  readonly image?: ScriptedImage
  /** What a call for embeddings takes a word for, in lower case: with `{ nut: 'hazelnut' }` texts with the one are near texts with the other. */
  readonly synonyms?: Readonly<Record<string, string>>
  /** Figures reported at the end; `none` reports nothing. */
  readonly usage?: Usage | 'none'
  /** In OpenAI's words; translated for the other format. */
  readonly finishReason?: 'stop' | 'length' | 'tool_calls'
  /** Milliseconds before each piece. */
  readonly delayMs?: number
  /** Says nothing more from here on: no status, no frame at all, or no frame after so many pieces. */
  readonly hang?: 'before-headers' | 'before-first' | { readonly after: number }
  /** Goes on after so many pieces only once a promise is kept; an answer that comes whole waits where that is before the first piece. */
  readonly pause?: { readonly after: number; readonly until: Promise<unknown> }
  /** An error answer with this body (a text of the format's own error shape unless told). */
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the answer politely after so many pieces, without a finish. */
  readonly endAfterChunks?: number
  /** Destroys the socket after so many pieces. */
  readonly cutAfterChunks?: number
  /** Sends an error frame inside the stream after so many pieces, then ends. */
  readonly errorFrameAfter?: number
  /** A web page with status 200, an event that is not JSON after the first piece, or bytes that are not UTF-8. */
  readonly garbage?: 'page' | 'json' | 'utf8'
  /** Cuts network chunks inside every character of several bytes. */
  readonly splitUtf8?: boolean
  /** Ends lines with CR LF. */
  readonly crlf?: boolean
}

/** One call as the fake provider saw it. Times are `performance.now()` of its process, in milliseconds. */
export interface ProviderCall {
  readonly wire: Wire
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The parsed JSON body; the raw text when it was not JSON. */
  readonly body: ProviderRequest
  /** What the body asks, read the same way out of every format. */
  readonly prompt: RecordedPrompt
  readonly startedAt: number
  /** Pieces of text, reasoning and arguments sent so far. */
  sentChunks: number
  /** When the answer was complete. */
  finishedAt?: number
  /** When the client closed before that. */
  abortedAt?: number
}

/** The pieces of text a script sends, in order. */
export const textPieces = ({ chunks, text = '' }: ProviderScript): readonly string[] | AsyncIterable<string> =>
  chunks ?? text.match(/\S+\s*|\s+/g) ?? []

/** The pieces in which a call's arguments are sent. */
export function argumentPieces({ pieces, parameters = {} }: ScriptedToolCall): readonly string[] {
  const text = JSON.stringify(parameters)
  const middle = Math.ceil(text.length / 2)
  return pieces ?? [text.slice(0, middle), text.slice(middle)]
}

/** Why the answer ends: as the script says, else because of what it has. */
export const finishReason = ({ finishReason: given, toolCalls }: ProviderScript) =>
  given ?? (toolCalls === undefined ? 'stop' : 'tool_calls')

/** The figures a script reports: its own, or the number of messages and of the pieces of text that were sent. */
export function scriptedUsage({ usage }: ProviderScript, { messages }: ProviderRequest, sent: number) {
  return usage === 'none' ? undefined : (usage ?? { inputTokens: messages?.length ?? 0, outputTokens: sent })
}
