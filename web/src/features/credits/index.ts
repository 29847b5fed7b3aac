import { earlyPart } from '../../shared/lazy/index.ts'

export { CreditMeter } from './credit-meter.tsx'
export { CreditWarning } from './credit-warning.tsx'

/** Shown when a message was refused; preloaded. */
export const InsufficientCredits = earlyPart(
  async () => (await import('./insufficient-credits.tsx')).InsufficientCredits,
)
