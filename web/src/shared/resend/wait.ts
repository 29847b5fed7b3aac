/** Milliseconds between two mails that one person may ask for. */
const waitMs = 60_000

/** Seconds until another mail may be asked for: 60 after `sentAt`, when the last one was. Both times in milliseconds since 1970. */
export const secondsUntilResend = (sentAt: number, now: number): number =>
  // A clock set back must not lock the button for hours.
  Math.min(60, Math.max(0, Math.ceil((sentAt + waitMs - now) / 1000)))

/** When the last mail was, told from the seconds that the server wants waited until the next. */
export const sentAtOf = (retryAfter: number, now: number): number => now - waitMs + retryAfter * 1000
