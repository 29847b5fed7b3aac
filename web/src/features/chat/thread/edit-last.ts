import type { ChatSession } from './chat-session.ts'

/** Opens the last question of a chat for rewriting; false when there is none that could be, or an answer is running. */
export function editLast({ store }: Pick<ChatSession, 'store'>): boolean {
  const { messages, live, chatId, hasNewer } = store.getState()
  const last = messages.findLast(({ role, state, id }) => role === 'user' && state === 'sent' && id !== null)
  // A guest's messages are kept nowhere, so that there is nothing to put another version beside.
  if (!last || live || hasNewer || chatId === null) return false
  store.setState({ editingKey: last.key })
  return true
}
