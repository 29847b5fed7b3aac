/** An action whose requests in quick succession are answered together. */
export interface Coalesced {
  request(): void
  /** Drops a pending request. */
  stop(): void
}

/** Acts on the first request at once, and on all requests of the following `pauseMs` milliseconds together at their end. */
export function coalesced(act: () => void, pauseMs: number): Coalesced {
  let pause: NodeJS.Timeout | undefined
  let isRequested = false
  const start = (): void => {
    act()
    pause = setTimeout(() => {
      pause = undefined
      if (!isRequested) return
      isRequested = false
      start()
    }, pauseMs).unref()
  }
  return {
    request() {
      if (pause === undefined) start()
      else isRequested = true
    },
    stop() {
      isRequested = false
      clearTimeout(pause)
    },
  }
}
