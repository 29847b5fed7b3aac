import { vi } from 'vitest'

/** Resolves once `check` passes, on a crowded machine as well. Moves the clock on while timers are fake. */
export const untilPasses = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 120_000 })
