/** Milliseconds after which it is done though the page is never idle. */
const idleTimeoutMs = 2_000

/** Does something when the page is idle; Safari knows no idle callbacks. Answers what calls it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, idleTimeoutMs)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(act, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(id)
}
