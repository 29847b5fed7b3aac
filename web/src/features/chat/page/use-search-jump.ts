import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ChatSession } from '../thread/session/chat-session.ts'

/** The message, and the search words. */
const parameters = ['m', 'q']

/** Scrolls to the message in `?m=`, highlighting the words in `q=`, and removes both from the URL, so that the same link works again. */
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
