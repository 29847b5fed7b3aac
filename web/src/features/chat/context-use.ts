import type { ThreadMessage } from './thread/thread-message.ts'

const charactersPerToken = 4

/** How much of a model's context a thread takes. */
export interface ContextUse {
  readonly tokens: number
  /** From 0 to 1. */
  readonly share: number
  /** All tokens were counted by the provider. */
  readonly exact: boolean
}

/**
 * The tokens of the last answer's prompt and text, as its provider counted them, with an estimate of what is not in them. Answers with tools do
 * not tell: their prompts were sent several times, with results that are not sent again.
 */
export function contextUseOf(thread: readonly ThreadMessage[], contextLength: number): ContextUse {
  const known = thread.filter(({ id }) => id !== null)
  const at = known.findLastIndex(
    ({ usage, toolCalls, webSearch }) => usage !== null && toolCalls.length === 0 && webSearch === null,
  )
  const usage = known[at]?.usage ?? { inputTokens: 0, outputTokens: 0, estimated: true }
  const rest = known.slice(at + 1)
  const estimated = rest.reduce((sum, { content }) => sum + Math.ceil(content.length / charactersPerToken), 0)
  const tokens = usage.inputTokens + usage.outputTokens + estimated
  return { tokens, share: Math.min(1, tokens / contextLength), exact: rest.length === 0 && !usage.estimated }
}
