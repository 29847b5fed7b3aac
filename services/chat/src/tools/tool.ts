import type { PromptTool, StreamEvent } from '@parley/contracts'

/** The result of a tool call. */
export interface ToolOutcome {
  /** The form for the stream and the store; JSON of at most `maxResultLength`. */
  readonly result: unknown
  /** One short text for people. */
  readonly resultNormalized: string
  /** The form for the model. */
  readonly material: string
}

/** The context of a running tool. */
export interface ToolRun {
  /** Aborts when the answer ends or the tool takes too long. */
  readonly signal: AbortSignal
  /** Tells an event of the answer's stream, between the start of the call and its result. */
  readonly emit: (event: StreamEvent) => void
}

/** Something that an answer may use. */
export interface Tool {
  readonly spec: PromptTool
  /** Reads what a model gave as arguments. @throws ToolFailure when they make no sense */
  parse(given: unknown): Readonly<Record<string, unknown>>
  /** @throws ToolFailure with what people and the model may read; any other error is only logged */
  run(parameters: Readonly<Record<string, unknown>>, run: ToolRun): Promise<ToolOutcome>
}

/** A service of the internet that a tool uses: its address, the key for it, and `fetch` to what the operator configured. */
export interface ToolService {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: typeof globalThis.fetch
}

/** A tool that gave nothing; its message is for people. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
}

/** True for a ToolFailure; by shape, since two copies of the class may be loaded. */
export const isToolFailure = (error: unknown): error is ToolFailure =>
  error instanceof Error && error.name === 'ToolFailure'

/** Units of a result's JSON; in bytes that is at most 24 KB, so that no event is too large for any engine. */
export const maxResultLength = 8 * 1024
/** UTF-16 units of the result of one call that the model gets. */
export const maxMaterialLength = 16 * 1024

/** The tools of one answer. */
export interface AnswerTools {
  /** The tools that the model may call. */
  readonly offered: readonly Tool[]
  /** The calls made before the model is asked. */
  readonly upFront: readonly { readonly tool: Tool; readonly parameters: Readonly<Record<string, unknown>> }[]
}

/** The tools of an answer that uses none. */
export const noTools: AnswerTools = { offered: [], upFront: [] }
