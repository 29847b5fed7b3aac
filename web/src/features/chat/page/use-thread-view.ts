import { useEffect, useState } from 'react'
import { retryImport, whenIdle } from '../../../shared/lazy/index.ts'
import { prepareMarkdown } from '../../../shared/message/answer-text.tsx'

/** Together with the Markdown renderer: rendering a text plain first would shift the layout. */
const loadThread = async () => {
  const prepared = prepareMarkdown()
  const { ThreadView } = await import('../thread/view/thread-view.tsx')
  await prepared
  return { ThreadView }
}

type ThreadView = Awaited<ReturnType<typeof loadThread>>['ThreadView']

/**
 * The thread's component once its code has loaded: when the page is idle, because an empty chat does not need it, or immediately if
 * `wanted`. While wanted, a load failure is thrown.
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
