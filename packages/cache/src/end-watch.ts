/**
 * Asks after each interval of silence whether the answer has ended, and gives its log up at the second time in a row that it has: its end is stored
 * before it is appended to the log, and the process between the two may have died.
 * @param hasEnded may reject: an unknown state is no end
 */
export function watchEnd(hasEnded: () => Promise<boolean>, everyMs: number) {
  const over = new AbortController()
  let endedBefore = false
  const look = async (): Promise<void> => {
    const ended = await hasEnded().catch(() => false)
    if (ended && endedBefore) over.abort()
    endedBefore = ended
  }
  const timer = setInterval(() => void look(), everyMs)
  return {
    /** Aborts when the answer has ended and its log will never say so. */
    signal: over.signal,
    /** The log has an entry: it is not silent. */
    heard(): void {
      timer.refresh()
      endedBefore = false
    },
    stop: () => clearInterval(timer),
  }
}
