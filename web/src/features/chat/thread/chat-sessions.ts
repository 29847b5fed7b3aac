import type { ChatSession } from './chat-session.ts'
import type { ThreadState } from './thread-state.ts'

/** The chats that this page has open, each kept with what it shows; of those that are idle only the ones shown last. */
export interface ChatSessions {
  /** The session of a chat that is about to be shown, the same one for as long as it is kept; null for the new chat that has no id yet. */
  get(chatId: string | null): ChatSession
  /** Puts an empty new chat in the place of the present one. */
  renew(): void
  /** The new chat got its id. */
  adopt(session: ChatSession, chatId: string): void
  /** The chat is gone. */
  forget(chatId: string): void
  /** Whether an answer is made that this tab reads by itself, to its end. */
  isGenerating(): boolean
  /** Those with a message that waits for the network. */
  offline(): readonly ChatSession[]
  /** Stops reading all answers; they go on at the server. */
  leaveAll(): void
}

const mostIdle = 20

/** Whether the server has everything that a thread shows, so that it can be read again. */
const isIdle = ({ live, messages, unsent, editingKey }: ThreadState): boolean =>
  live === null && unsent.length === 0 && editingKey === null && messages.every(({ id }) => id !== null)

/** Sessions made by `create` as they are asked for. */
export function createChatSessions(create: (chatId: string | null) => ChatSession): ChatSessions {
  /** The chat shown last is the last one. */
  const byChat = new Map<string, ChatSession>()
  const keep = (chatId: string, session: ChatSession): void => {
    byChat.delete(chatId)
    byChat.set(chatId, session)
    for (const [id, { store }] of [...byChat].slice(0, -mostIdle)) if (isIdle(store.getState())) byChat.delete(id)
  }
  let fresh: ChatSession | null = null
  const get = (chatId: string | null): ChatSession => {
    if (chatId === null) {
      fresh ??= create(null)
      return fresh
    }
    const known = byChat.get(chatId) ?? create(chatId)
    keep(chatId, known)
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
      keep(chatId, session)
    },
    forget: (chatId) => {
      byChat.get(chatId)?.leave()
      byChat.delete(chatId)
    },
    isGenerating: () =>
      all().some((session) => {
        const { live } = session.store.getState()
        return live !== null && live.source !== 'socket'
      }),
    offline: () => all().filter(({ store }) => store.getState().live?.connection === 'offline'),
    leaveAll: () => {
      for (const session of all()) session.leave()
    },
  }
}
