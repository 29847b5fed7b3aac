import type { PromptToolCall, Usage } from '@parley/contracts'
import type { Finish, ProviderEvent } from '../../adapters/adapter.ts'
import type { AnswerCredits } from '../api-answer.ts'

/** An answer that is complete. */
export interface CompleteAnswer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly PromptToolCall[]
  readonly finish: Finish
  readonly usage: Usage
  readonly credits?: AnswerCredits | undefined
}

/** Writes one answer in a caller's dialect: as a stream, by the first three in this order, or whole. */
export interface AnswerWriter {
  /** Of the answer. */
  readonly id: string
  open(): string
  /** What an event comes to; empty for nothing. */
  add(event: ProviderEvent): string
  close(answer: CompleteAnswer): string
  whole(answer: CompleteAnswer): object
}

/** Of what an answer is made that is written in another dialect than its provider's. */
export interface WriterOptions {
  readonly generationId: string
  /** As the caller named it. */
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  /** Tokens of the prompt, as they are estimated. */
  readonly inputTokens: number
}

/** One event of a stream. @param name as its own line, where the dialect has one */
export const eventText = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

/** The arguments of a call as an object; what is none is an empty one. */
export function parsedArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    // The model's own slip.
    return {}
  }
}
