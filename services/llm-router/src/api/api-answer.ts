import type { Usage } from '@parley/contracts'

/** A provider's answer in the caller's dialect, whose first piece has arrived: from now on there is neither retry nor fallback. */
export interface ApiAnswer {
  /** Complete events as they arrive, up to `closing`; empty for a JSON response. @throws ProviderFailure when the answer is cut off */
  readonly pieces: AsyncIterable<Uint8Array>
  /** The end of a complete stream, or the whole JSON response. Call it after reading `pieces`. @param credits added to requested usage figures */
  closing(usage: Usage, credits?: AnswerCredits): Uint8Array
  /** The answer's own id; undefined for kinds without one. */
  id(): string | undefined
  /** Whether something was generated that is worth its price. */
  hasOutput(): boolean
  /** The provider's figures for a complete answer, otherwise an estimate. */
  usage(isComplete: boolean): Promise<Usage> | Usage
  /** Cancels the call. Idempotent. */
  cancel(): void
}

/** The cost of an answer, and its payer's remaining credits. */
export interface AnswerCredits {
  readonly charged: number
  readonly remaining: number
}

/** The time limits of an answer, and the signal that the caller has left. */
export interface AskOptions {
  /** By `performance.now()`, for the first piece or for a whole response that is not streamed. */
  readonly deadline: number
  /** Milliseconds between two pieces. */
  readonly idleMs: number
  readonly signal: AbortSignal
}
