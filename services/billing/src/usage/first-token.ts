import type { FirstToken } from '@parley/contracts'

/** Each step of the stored histogram is so many times as long as the one before. What is stored is in these steps: it cannot be changed. */
export const stepGrowth = 1.1

/** Answers whose first visible character took from `stepGrowth ** step` milliseconds up to the next step. */
export interface FirstTokenStep {
  readonly step: number
  readonly answers: number
}

/** How soon answers began, within 5 %, from their steps in ascending order, of which several may be the same; null without an answer. */
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
