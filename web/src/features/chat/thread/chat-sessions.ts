import type { ChatSession } from './chat-session.ts'

/** The chats that this page has open, each kept with what it shows. */
export interface ChatSessions {
  /** The session of a chat, the same one every time; null for the new chat that has no id yet. */
  get(chatId: string | null): ChatSession
  /** Puts an empty new chat in the place of the present one. */
  renew(): void
  /** The new chat got its id. */
  adopt(session: ChatSession, chatId: string): void
  /** The chat is gone. */
  forget(chatId: string): void
  /** Whether an answer is made that this tab reads by itself, to its end. */
  isAnswering(): boolean
  /** Stops reading all answers; they go on at the server. */
  leaveAll(): void
}

/** Sessions made by `create` as they are asked for. */
export function createChatSessions(create: (chatId: string | null) => ChatSession): ChatSessions {
  const byChat = new Map<string, ChatSession>()
  let fresh: ChatSession | null = null
  const get = (chatId: string | null): ChatSession => {
    if (chatId === null) {
      fresh ??= create(null)
      return fresh
    }
    const known = byChat.get(chatId) ?? create(chatId)
    byChat.set(chatId, known)
    return known
  }
  const all = () => [...byChat.values(), ...(fresh ? [fresh] : [])]
  return {
    get,
    renew: () => {
      fresh = null
    },
    adopt: (session, chatId) => {
      if (fresh === session) fresh = null
      byChat.set(chatId, session)
    },
    forget: (chatId) => {
      byChat.get(chatId)?.leave()
      byChat.delete(chatId)
    },
    isAnswering: () =>
      all().some((session) => {
        const { live } = session.store.getState()
        return live !== null && live.source !== 'socket'
      }),
    leaveAll: () => {
      for (const session of all()) session.leave()
    },
  }
}
