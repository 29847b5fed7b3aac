import type { Usage } from '@parley/contracts'
import type { Ending, Generation, NewGeneration, Progress, StopReason } from '../store/entities.ts'
import { estimateTokens } from '../text/estimate-tokens.ts'

/** Why an answer ended. */
export type Cause =
  | { readonly kind: 'ended'; readonly finishReason: 'stop' | 'length'; readonly usage: Usage }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | {
      readonly kind: 'failed'
      readonly error: string
      readonly code: string
      readonly usage?: Usage
      /** The state of the limit that refused the answer. */
      readonly limit?: { readonly limit: number; readonly seconds: number } | undefined
    }
  /** The generation broke off on our side: its replica died or its lease was lost. */
  | { readonly kind: 'lost' }

/** The message shown to a banned user. */
const bannedText = 'Your account has been banned. Please contact support for assistance.'
const lostFailure = { error: 'Streaming was interrupted', code: 'unavailable' }

/**
 * How an answer ends by its cause and what there is of it. An answer costs its price as soon as one visible character of it exists, else nothing.
 * `heldRemaining` is the balance while the whole price is held; the part that is not charged is returned to it.
 */
export function decideEnding(
  cause: Cause,
  generation: Pick<NewGeneration, 'createdAt' | 'guest' | 'price'>,
  progress: Progress,
  { now, heldRemaining }: { readonly now: Date; readonly heldRemaining?: number | undefined },
): Ending {
  const visible = hasVisibleText(progress.content)
  const charged = visible && generation.guest === null ? progress.price : 0
  const back = generation.guest === null ? generation.price - charged : 0
  const remaining = heldRemaining === undefined ? 0 : heldRemaining + back
  return {
    ...outcomeOf(cause, visible),
    ...refusedLimit(cause, now),
    usage: usageOf(cause) ?? estimateUsage(progress),
    credits: { charged, remaining },
    durationMs: Math.max(0, now.getTime() - generation.createdAt.getTime()),
  }
}

function outcomeOf(cause: Cause, visible: boolean): Pick<Ending, 'outcome' | 'finishReason' | 'failure'> {
  switch (cause.kind) {
    case 'ended':
      return { outcome: 'complete', finishReason: cause.finishReason, failure: null }
    case 'stopped':
      if (cause.reason === 'user') return { outcome: 'stopped', finishReason: 'stopped', failure: null }
      return failed(visible, { error: bannedText, code: 'account_banned' })
    case 'failed':
      return failed(visible, { error: cause.error, code: cause.code })
    case 'lost':
      return failed(true, lostFailure)
    default:
      return cause satisfies never
  }
}

const failed = (kept: boolean, failure: NonNullable<Ending['failure']>) =>
  ({ outcome: kept ? 'interrupted' : 'error', finishReason: 'error', failure }) as const

function refusedLimit(cause: Cause, now: Date): Pick<Ending, 'limit'> {
  if (cause.kind !== 'failed' || cause.limit === undefined) return {}
  const { limit, seconds } = cause.limit
  return { limit: { limit, resetAt: new Date(now.getTime() + seconds * 1000).toISOString() } }
}

const usageOf = (cause: Cause): Usage | undefined => ('usage' in cause ? cause.usage : undefined)

function estimateUsage({ content, reasoning, promptTokens }: Progress): Usage {
  const outputTokens = estimateTokens(content.length + reasoning.length)
  return { inputTokens: promptTokens, outputTokens, estimated: true }
}

/** True when there is at least one character to be seen. */
export const hasVisibleText = (content: string): boolean => /[^\s\p{C}]/u.test(content)

/** True for a generation that failed and cost nothing, so that its send may be tried again. */
export const mayBeRetried = ({ ending, content }: Pick<Generation, 'ending' | 'content'>): boolean =>
  ending !== null && ending.failure !== null && (ending.unchanged !== undefined || !hasVisibleText(content))
