/** What would make a password stronger. */
export type Advice = 'common' | 'keyboard' | 'repeat' | 'sequence' | 'date' | 'word' | 'name' | 'personal' | 'longer'

/** How hard a password is to guess: 0 at once, 4 not in a lifetime. */
export interface Strength {
  readonly score: 0 | 1 | 2 | 3 | 4
  /** Null when there is nothing to improve. */
  readonly advice: Advice | null
}

/** What is asked of the worker, and what it answers, by the number of the question. */
export interface StrengthQuestion {
  readonly nth: number
  readonly password: string
  readonly context: readonly string[]
}
export interface StrengthAnswer {
  readonly nth: number
  readonly strength: Strength
}

/** How a strength is called. */
export const strengthNames = ['weak', 'weak', 'fair', 'good', 'strong'] as const
