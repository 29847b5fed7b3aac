import { useEffect, useState } from 'react'

const loadThread = () => import('./thread/thread-view.tsx')

type ThreadView = Awaited<ReturnType<typeof loadThread>>['ThreadView']

/** Milliseconds after which the code is loaded though the page is never idle. */
const idleTimeoutMs = 2_000

/**
 * What draws a thread, once its code is there: it is asked for when the page is idle, since an empty chat needs none of it, and at once when it is
 * `wanted`. Without a network it is asked for again when there is one; throws what else keeps it away while it is wanted.
 */
export function useThreadView(wanted: boolean): ThreadView | null {
  const [view, setView] = useState<{ readonly ThreadView: ThreadView } | null>(null)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  useEffect(() => {
    if (view) return
    setFailure(null)
    const over = new AbortController()
    const load = () => {
      loadThread().then(setView, (error: unknown) => {
        if (over.signal.aborted) return
        if (navigator.onLine) setFailure({ error })
        else window.addEventListener('online', load, { once: true, signal: over.signal })
      })
    }
    const stopWaiting = wanted ? load() : whenIdle(load)
    return () => {
      over.abort()
      stopWaiting?.()
    }
  }, [view, wanted])
  if (failure && wanted) throw failure.error
  return view?.ThreadView ?? null
}

/** Safari knows no idle callbacks. */
function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(act, idleTimeoutMs)
    return () => clearTimeout(timer)
  }
  const id = requestIdleCallback(act, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(id)
}
