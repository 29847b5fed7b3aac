/** Advice that would make a password stronger. */
export type Advice = 'common' | 'keyboard' | 'repeat' | 'sequence' | 'date' | 'word' | 'name' | 'personal' | 'longer'

/** How hard a password is to guess, from 0 (instantly) to 4 (not in a lifetime). */
export interface Strength {
  readonly score: 0 | 1 | 2 | 3 | 4
  /** Null when there is nothing to improve. */
  readonly advice: Advice | null
}

/** Messages to and from the worker, matched by number. */
export interface StrengthQuestion {
  readonly nth: number
  readonly password: string
  readonly context: readonly string[]
}
export interface StrengthAnswer {
  readonly nth: number
  readonly strength: Strength
}

/** Names of the strengths. */
export const strengthNames = ['weak', 'weak', 'fair', 'good', 'strong'] as const
