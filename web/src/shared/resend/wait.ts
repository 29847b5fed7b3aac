/** Milliseconds between two mails per user. */
const waitMs = 60_000

/** Seconds until another mail may be requested: 60 after `sentAt`, the time of the last one. Both times are in milliseconds since 1970. */
export const secondsUntilResend = (sentAt: number, now: number): number =>
  // A clock that was set back must not disable the button for hours.
  Math.min(60, Math.max(0, Math.ceil((sentAt + waitMs - now) / 1000)))

/** The time of the last mail, derived from the server's Retry-After in seconds. */
export const sentAtOf = (retryAfter: number, now: number): number => now - waitMs + retryAfter * 1000
