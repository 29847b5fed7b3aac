/** How long the same text counts as sent by mistake, in milliseconds. */
export const duplicateWindowMs = 10_000

/** A text that was sent, at a time in milliseconds since the epoch. */
export interface SentText {
  readonly text: string
  readonly at: number
}

/** True when the same text, surrounding white space aside, was sent less than 10 s before `now`. */
export function isDuplicate(sent: readonly SentText[], text: string, now: number): boolean {
  const wanted = text.trim()
  return sent.some((earlier) => now - earlier.at < duplicateWindowMs && earlier.text.trim() === wanted)
}
