/** Acts on the first request at once, and on all requests of the following `pauseMs` milliseconds together at their end. */
export function coalesced(act: () => void, pauseMs: number) {
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
    request(): void {
      if (pause === undefined) start()
      else isRequested = true
    },
    /** Drops a pending request. */
    stop(): void {
      isRequested = false
      clearTimeout(pause)
    },
  }
}
