import { useEffect } from 'react'
import { useChatSessions } from '../use-chat-sessions.ts'

const noEvents = {
  created: () => undefined,
  started: () => undefined,
  ended: () => undefined,
  stopFailed: () => undefined,
  actionFailed: () => undefined,
}

/** Continues reading a guest's unfinished answer, so that the migrated chat is complete. */
export function FinishGuestAnswer() {
  const sessions = useChatSessions(noEvents)
  useEffect(() => void sessions.get(null).open(), [sessions])
  return null
}
