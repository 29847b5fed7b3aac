import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ChatSession } from './thread/chat-session.ts'

const parameter = 'm'

/** Leads to the message that the address names with `?m=`, and takes it out of the address, so that the same link leads there again. */
export function useSearchJump(session: ChatSession): void {
  const [parameters, setParameters] = useSearchParams()
  const wanted = parameters.get(parameter)
  useEffect(() => {
    if (wanted === null || session.store.getState().chatId === null) return
    void session.reveal(wanted)
    const rest = (before: URLSearchParams) => new URLSearchParams([...before].filter(([name]) => name !== parameter))
    setParameters(rest, { replace: true })
  }, [wanted, session, setParameters])
}
