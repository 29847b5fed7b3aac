import type { Usage } from '@parley/contracts'

/** A provider's answer in the caller's dialect, of which the first piece has come: from here on there is neither retry nor fallback. */
export interface ApiAnswer {
  /** Whole events as they come, up to `closing`; nothing of an answer that is one JSON text. @throws ProviderFailure when it breaks off */
  readonly pieces: AsyncIterable<Uint8Array>
  /** What ends a complete answer: the whole of one that is no stream. Asked for after the pieces. @param credits stand beside the figures that a stream was asked for */
  closing(usage: Usage, credits?: AnswerCredits): Uint8Array
  /** As it names itself to its caller; undefined where its kind has no id. */
  id(): string | undefined
  /** Something was made that is worth its price. */
  hasOutput(): boolean
  /** The provider's figures of a complete answer, else an estimate. */
  usage(isComplete: boolean): Promise<Usage> | Usage
  /** Ends the call at the provider. Idempotent. */
  cancel(): void
}

/** What an answer cost, and what its payer has left. */
export interface AnswerCredits {
  readonly charged: number
  readonly remaining: number
}

/** How long an answer may take, and until who leaves. */
export interface AskOptions {
  /** Of `performance.now()`, for the first piece; for the whole of what is no stream. */
  readonly deadline: number
  /** Milliseconds between two pieces. */
  readonly idleMs: number
  readonly signal: AbortSignal
}
