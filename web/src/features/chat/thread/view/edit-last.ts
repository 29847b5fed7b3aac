import type { ChatSession } from '../session/chat-session.ts'

/** Starts editing the last question of a chat; returns false if there is none, it cannot be edited, or an answer is running. */
export function editLast({ store }: Pick<ChatSession, 'store'>): boolean {
  const { messages, live, chatId, hasNewer } = store.getState()
  const last = messages.findLast(({ role, state, id }) => role === 'user' && state === 'sent' && id !== null)
  // Guests' messages are not stored, so they have no versions.
  if (!last || live || hasNewer || chatId === null) return false
  store.setState({ editing: { key: last.key, text: last.content } })
  return true
}
