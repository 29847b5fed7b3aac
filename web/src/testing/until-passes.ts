import { vi } from 'vitest'

/** Resolves once `check` passes, with patience for busy machines. Advances fake timers. */
export const untilPasses = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 120_000 })
