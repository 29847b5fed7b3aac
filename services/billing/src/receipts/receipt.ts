import type { GenerationOutcome, Receipt } from '@parley/contracts'

/** The cost of a generation according to the ledger, and its outcome. Credits are whole; `held` were taken from the balance by the hold. */
export interface Settled extends Omit<Receipt, 'at' | 'keyId' | 'outcome' | 'released' | 'reason'> {
  readonly at: Date
  readonly keyId: string | null
  /** Null while no outcome was reported. */
  readonly outcome: GenerationOutcome | null
  /** Credits returned to the balance before any late charge. */
  readonly returned: number
  /** The hold was released before the end of its generation arrived and was charged. */
  readonly late: boolean
  /** A hold without credits, of an admin. */
  readonly unlimited: boolean
}

/** The receipt of a generation, with its reason as a sentence. */
export function receiptOf(settled: Settled): Receipt {
  const { at, keyId, returned, late, unlimited, ...facts } = settled
  const kept = Math.max(0, facts.held - facts.charged)
  const released = Math.min(returned, kept)
  const lapsed = late ? 0 : kept - released
  return {
    ...facts,
    ...(keyId !== null && { keyId }),
    at: at.toISOString(),
    released,
    outcome: outcomeOf(settled),
    reason: `${[reasonOf(settled), ...asides(settled, lapsed)].join('; ')}.`,
  }
}

function outcomeOf({ outcome, source, outputTokens, held, charged }: Settled): Receipt['outcome'] {
  if (outcome === null || outcome === 'error') return 'failed'
  if (charged > 0) return outcome
  // An answer without visible text is free, even if the provider counted tokens.
  const isUnseen = held > 0
  // Images have no tokens, and those by key and embeddings, which come whole, are not told from text.
  const mayHaveNoTokens = source === 'image' || (source === 'key' && outcome === 'complete')
  const isEmpty = outputTokens === 0 && !mayHaveNoTokens
  return isEmpty || isUnseen ? 'no_output' : outcome
}

function reasonOf(settled: Settled): string {
  const { model, charged, held, late, balanceAfter, unlimited, outcome, source } = settled
  if (outcome === null) return 'Its end was never reported, so the held credits were returned'
  const seen = outcomeOf(settled)
  switch (seen) {
    case 'failed':
      return source === 'image'
        ? 'No image was created, so this was free'
        : 'The provider failed before it answered, so this was free'
    case 'no_output':
      return 'It ended before any of the answer was visible, so this was free'
    case 'complete':
    case 'stopped':
    case 'interrupted':
      if (unlimited) return 'Admins aren’t charged'
      if (charged === 0) return `${model} is free`
      // A late charge is bounded by the credits that are left.
      if (late && charged < held && balanceAfter === 0) {
        return `Your credits covered only a part of the price of ${model}, so this cost all that were left`
      }
      return `${beginnings[charged < held ? 'cheaper' : seen]}, so this cost the price of ${model}`
    default:
      return seen satisfies never
  }
}

const beginnings = {
  cheaper: 'A cheaper model than the one requested answered and the rest was returned',
  complete: 'The answer is complete',
  stopped: 'You stopped it after it started to answer',
  interrupted: 'It was cut off after it started to answer and what arrived was kept',
} as const

function asides({ late, estimated }: Settled, lapsed: number): string[] {
  return [
    ...(late ? ['the held credits had already been returned, as there was no news of it for a while'] : []),
    ...(lapsed > 0 ? ['the rest belonged to a month that has ended and expired with it'] : []),
    ...(estimated ? ['the tokens are estimated, as the provider didn’t count them'] : []),
  ]
}
