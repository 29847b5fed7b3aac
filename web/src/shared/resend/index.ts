export { type Resend, useResend } from './use-resend.ts'
export { useSecondsLeft } from './use-seconds-left.ts'
export { sentAtOf } from './wait.ts'
