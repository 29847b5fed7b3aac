/** Tells when the world may have come back: the network is up again or the tab is looked at again. Returns the way to stop listening. */
export type OnWake = (listener: () => void) => () => void

/** {@link OnWake} of a browser window. */
export const onBrowserWake: OnWake = (listener) => {
  const whenVisible = () => {
    if (document.visibilityState === 'visible') listener()
  }
  window.addEventListener('online', listener)
  window.addEventListener('pageshow', listener)
  document.addEventListener('visibilitychange', whenVisible)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('pageshow', listener)
    document.removeEventListener('visibilitychange', whenVisible)
  }
}

/** Waits `ms` milliseconds, less when woken or aborted. Never rejects: the caller looks at its signal. */
export function pause(ms: number, onWake: OnWake, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stopListening()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    const stopListening = onWake(end)
    signal.addEventListener('abort', end)
  })
}
