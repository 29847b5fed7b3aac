import { useEffect, useState } from 'react'
import { retryImport, whenIdle } from '../../shared/lazy/index.ts'
import { prepareMarkdown } from '../../shared/message/answer-text.tsx'

/** With the renderer of its answers: a text that is shown as it was written first would move what stands below. */
const loadThread = async () => {
  const prepared = prepareMarkdown()
  const { ThreadView } = await import('./thread/thread-view.tsx')
  await prepared
  return { ThreadView }
}

type ThreadView = Awaited<ReturnType<typeof loadThread>>['ThreadView']

/**
 * What draws a thread, once its code is there: it is asked for when the page is idle, since an empty chat needs none of it, and at once when it is
 * `wanted`. Throws what keeps it away while it is wanted.
 */
export function useThreadView(wanted: boolean): ThreadView | null {
  const [view, setView] = useState<{ readonly ThreadView: ThreadView } | null>(null)
  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null)
  useEffect(() => {
    if (view) return
    setFailure(null)
    const over = new AbortController()
    const load = () => {
      retryImport(loadThread).then(setView, (error: unknown) => {
        if (!over.signal.aborted) setFailure({ error })
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
