import { useEffect } from 'react'
import { useChatSessions } from '../use-chat-sessions.ts'

const noEvents = {
  created: () => undefined,
  started: () => undefined,
  ended: () => undefined,
  stopFailed: () => undefined,
  actionFailed: () => undefined,
}

/** Goes on reading the answer that a guest left while it was being written, so that the chat they take along is whole. */
export function FinishGuestAnswer() {
  const sessions = useChatSessions(noEvents)
  useEffect(() => void sessions.get(null).open(), [sessions])
  return null
}
