import type { FirstToken } from '@parley/contracts'

/** The ratio between bounds of the stored histogram. Stored data depend on it, so it must not change. */
export const stepGrowth = 1.1

/** Answers whose first visible character took between `stepGrowth ** step` milliseconds and the next step. */
export interface FirstTokenStep {
  readonly step: number
  readonly answers: number
}

/** Percentiles of the time to first token, accurate to 5 %, from steps in ascending order with possible repeats; null without an answer. */
export function firstTokenOf(steps: readonly FirstTokenStep[]): FirstToken | null {
  const answers = steps.reduce((sum, step) => sum + step.answers, 0)
  if (answers === 0) return null
  const within = (share: number): number => {
    let seen = 0
    const last = steps.find((step) => {
      seen += step.answers
      return seen >= share * answers
    })
    return Math.round(stepGrowth ** ((last?.step ?? 0) + 0.5))
  }
  return { answers, p50Ms: within(0.5), p95Ms: within(0.95) }
}
