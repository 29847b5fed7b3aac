import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ChatSession } from './thread/chat-session.ts'

/** The message, and the words that it was found by. */
const parameters = ['m', 'q']

/** Leads to the message that the address names with `?m=`, at the words of `q=`, and takes both out of the address, so that the same link leads there again. */
export function useSearchJump(session: ChatSession): void {
  const [address, setAddress] = useSearchParams()
  const wanted = address.get('m')
  const words = address.get('q')
  useEffect(() => {
    if (wanted === null || session.store.getState().chatId === null) return
    session.store.setState({ words })
    void session.reveal(wanted)
    const rest = (before: URLSearchParams) =>
      new URLSearchParams([...before].filter(([name]) => !parameters.includes(name)))
    setAddress(rest, { replace: true })
  }, [wanted, words, session, setAddress])
}
