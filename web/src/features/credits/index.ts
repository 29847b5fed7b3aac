import { earlyPart } from '../../shared/lazy/index.ts'

export { CreditMeter } from './credit-meter.tsx'
export { CreditWarning } from './credit-warning.tsx'

/** Drawn when a message was refused; loaded before. */
export const InsufficientCredits = earlyPart(
  async () => (await import('./insufficient-credits.tsx')).InsufficientCredits,
)
