/** Limits retries to a small share of all calls, so that a struggling provider is not overloaded further. */
export type RetryBudget = ReturnType<typeof createRetryBudget>

/** Each provider starts with `reserve` retries and earns one per ten calls, up to the reserve. */
export function createRetryBudget(reserve = 10) {
  const tenths = new Map<string, number>()
  const left = (provider: string): number => tenths.get(provider) ?? reserve * 10
  return {
    /** Records a call that is not a retry. */
    earn(provider: string): void {
      tenths.set(provider, Math.min(reserve * 10, left(provider) + 1))
    },
    /** Takes one retry; false when none is left. */
    spend(provider: string): boolean {
      if (left(provider) < 10) return false
      tenths.set(provider, left(provider) - 10)
      return true
    },
  }
}
