/** Keeps retries a small part of all calls, so that a provider in trouble is not pushed under. */
export interface RetryBudget {
  /** A call that is no retry. */
  earn(provider: string): void
  /** Takes one retry; false when none is left. */
  spend(provider: string): boolean
}

/** Each provider has `reserve` retries to begin with and earns one for every ten calls, up to the reserve again. */
export function createRetryBudget(reserve = 10): RetryBudget {
  const tenths = new Map<string, number>()
  const left = (provider: string): number => tenths.get(provider) ?? reserve * 10
  return {
    earn(provider) {
      tenths.set(provider, Math.min(reserve * 10, left(provider) + 1))
    },
    spend(provider) {
      if (left(provider) < 10) return false
      tenths.set(provider, left(provider) - 10)
      return true
    },
  }
}
