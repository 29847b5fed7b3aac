/** Milliseconds after which it runs even if the page is never idle. */
const idleTimeoutMs = 2_000

/**
 * Runs an act when the page is idle. Returns a function that cancels it.
 * @param otherwiseMs delay in milliseconds for Safari, which lacks idle callbacks
 */
export function whenIdle(act: () => void, otherwiseMs = idleTimeoutMs): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, otherwiseMs)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(act, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(id)
}
