import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ChatSession } from './thread/chat-session.ts'
import { printThread } from './thread/print-thread.ts'

/** Prints the whole chat when its address asks for it with `?print`. */
export function usePrintRequest(session: ChatSession): void {
  const [parameters, setParameters] = useSearchParams()
  const shown = useRef(session)
  shown.current = session
  const wanted = parameters.has('print')
  useEffect(() => {
    if (!wanted) return
    // A reload is not to print again.
    setParameters({}, { replace: true })
    void printThread(session, () => shown.current === session)
  }, [wanted, session, setParameters])
}
