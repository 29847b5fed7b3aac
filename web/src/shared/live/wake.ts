/**
 * Why the state may be stale: the tab became visible again (`shown`), or its connections may be dead without a close event,
 * because the network changed or the machine slept (`network`).
 */
export type WakeCause = 'shown' | 'network'

/** Subscribes to wake-ups. Returns a function that unsubscribes. */
export type OnWake = (listener: (cause: WakeCause) => void) => () => void

const tickMs = 2_000
/** A tick this late means that the machine slept. */
const sleptMs = 4_000

/** {@link OnWake} of a browser window. */
export const onBrowserWake: OnWake = (listener) => {
  const isVisible = () => document.visibilityState === 'visible'
  const shown = () => {
    if (isVisible()) listener('shown')
  }
  const network = () => listener('network')
  // Waking from sleep fires no event; timers of hidden tabs are throttled, so only those of visible tabs count.
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

/** Waits `ms` milliseconds, or until woken or aborted. Never rejects: the caller checks its signal. */
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
