/**
 * Why things may be otherwise than before: the tab is looked at again (`shown`), or its connections may be dead without having been closed,
 * as the network changed or the machine slept (`network`).
 */
export type WakeCause = 'shown' | 'network'

/** Tells when the world may have come back. Returns the way to stop listening. */
export type OnWake = (listener: (cause: WakeCause) => void) => () => void

const tickMs = 2_000
/** A tick that is late by this much means that nothing ran meanwhile. */
const sleptMs = 4_000

/** {@link OnWake} of a browser window. */
export const onBrowserWake: OnWake = (listener) => {
  const isVisible = () => document.visibilityState === 'visible'
  const shown = () => {
    if (isVisible()) listener('shown')
  }
  const network = () => listener('network')
  // A machine that slept says nothing when it wakes; the timers of a hidden tab are late for other reasons.
  let ticked = Date.now()
  const ticker = setInterval(() => {
    const late = Date.now() - ticked - tickMs
    ticked = Date.now()
    if (late > sleptMs && isVisible()) network()
  }, tickMs)
  window.addEventListener('online', network)
  window.addEventListener('pageshow', shown)
  document.addEventListener('visibilitychange', shown)
  document.addEventListener('resume', network)
  return () => {
    clearInterval(ticker)
    window.removeEventListener('online', network)
    window.removeEventListener('pageshow', shown)
    document.removeEventListener('visibilitychange', shown)
    document.removeEventListener('resume', network)
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
