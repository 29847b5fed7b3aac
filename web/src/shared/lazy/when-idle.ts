/** Milliseconds after which it is done though the page is never idle. */
const idleTimeoutMs = 2_000

/**
 * Does something when the page is idle. Answers what calls it off.
 * @param otherwiseMs milliseconds after which it is done in Safari, which knows no idle callbacks
 */
export function whenIdle(act: () => void, otherwiseMs = idleTimeoutMs): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, otherwiseMs)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(act, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(id)
}
