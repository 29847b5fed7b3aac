import type { ThreadMessage } from '../thread/state/thread-message.ts'

const charactersPerToken = 4

/** A thread's use of a model's context. */
export interface ContextUse {
  readonly tokens: number
  /** From 0 to 1. */
  readonly share: number
  /** Whether all tokens were counted by the provider. */
  readonly exact: boolean
}

/**
 * The last answer's prompt and completion tokens as counted by its provider, plus an estimate of the rest. Answers with tools are not
 * representative: their prompts were sent several times, with results that are not sent again.
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
