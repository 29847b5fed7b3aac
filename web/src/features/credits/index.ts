export { CreditMeter } from './credit-meter.tsx'
export { InsufficientCredits } from './insufficient-credits.tsx'
