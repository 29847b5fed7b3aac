/** Milliseconds in which the same text counts as sent by mistake. */
const duplicateWindowMs = 10_000

/** A sent text, with its time in milliseconds since the epoch. */
export interface SentText {
  readonly text: string
  readonly at: number
}

/** Whether the same text, apart from surrounding white space, was sent less than 10 s before `now`. */
export function isDuplicate(sent: readonly SentText[], text: string, now: number): boolean {
  const wanted = text.trim()
  return sent.some((earlier) => now - earlier.at < duplicateWindowMs && earlier.text.trim() === wanted)
}
