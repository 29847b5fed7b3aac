import type { PromptToolCall, Usage } from '@parley/contracts'
import type { Finish, ProviderEvent } from '../../adapters/adapter.ts'
import type { AnswerCredits } from '../api-answer.ts'

/** A complete answer. */
export interface CompleteAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly PromptToolCall[]
  readonly finish: Finish
  readonly usage: Usage
  /** The input tokens that were read from the provider's cache. */
  readonly cachedTokens: number
  readonly credits?: AnswerCredits | undefined
}

/** Writes one answer in a caller's dialect: as a stream through the first three methods, in this order, or as a whole. */
export interface AnswerWriter {
  /** The answer's id. */
  readonly id: string
  open(): string
  /** The text for an event; may be empty. */
  add(event: ProviderEvent): string
  close(answer: CompleteAnswer): string
  whole(answer: CompleteAnswer): object
}

/** Options for writing an answer in a dialect other than the provider's. */
export interface WriterOptions {
  readonly generationId: string
  /** As named by the caller. */
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  /** Estimated tokens of the prompt. */
  readonly inputTokens: number
}

/** One event of a stream. @param name on its own line, if the dialect has named events */
export const eventText = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
