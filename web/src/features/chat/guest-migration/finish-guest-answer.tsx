import { useEffect } from 'react'
import { useChatSessions } from '../use-chat-sessions.ts'

const noPage = {
  model: null,
  created: () => undefined,
  started: () => undefined,
  ended: () => undefined,
  stopFailed: () => undefined,
  actionFailed: () => undefined,
}

/** Continues reading a guest's unfinished answer, so that the migrated chat is complete. */
export function FinishGuestAnswer() {
  const sessions = useChatSessions(noPage)
  useEffect(() => void sessions.get(null).open(), [sessions])
  return null
}
