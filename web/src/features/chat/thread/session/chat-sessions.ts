import type { ThreadState } from '../state/thread-state.ts'
import type { ChatSession } from './chat-session.ts'

/** The chats open in this page with their state; of the idle ones only the most recent are kept. */
export interface ChatSessions {
  /** The session of a chat to be shown, the same one while it is kept; null for the new chat without an id. */
  get(chatId: string | null): ChatSession
  /** Replaces the new chat with an empty one. */
  renew(): void
  /** The new chat has got its id. */
  adopt(session: ChatSession, chatId: string): void
  /** The chat was deleted. */
  forget(chatId: string): void
  /** Whether this tab is itself reading an answer to its end. */
  isGenerating(): boolean
  all(): readonly ChatSession[]
  /** Stops reading all answers; they continue on the server. */
  leaveAll(): void
}

const mostIdle = 20

/** Whether the server has everything the thread shows, so that it can be reloaded. */
const isIdle = ({ live, messages, unsent, editing }: ThreadState): boolean =>
  live === null && unsent.length === 0 && editing === null && messages.every(({ id }) => id !== null)

/** Creates sessions with `create` on demand. */
export function createChatSessions(create: (chatId: string | null) => ChatSession): ChatSessions {
  /** Ordered by last use. */
  const byChat = new Map<string, ChatSession>()
  const keep = (chatId: string, session: ChatSession): void => {
    byChat.delete(chatId)
    byChat.set(chatId, session)
    for (const [id, { store }] of [...byChat].slice(0, -mostIdle)) if (isIdle(store.getState())) byChat.delete(id)
  }
  let fresh: ChatSession | null = null
  /** New chats that were replaced before their message was stored. */
  let unstored: readonly ChatSession[] = []
  const get = (chatId: string | null): ChatSession => {
    if (chatId === null) {
      fresh ??= create(null)
      return fresh
    }
    const known = byChat.get(chatId) ?? create(chatId)
    keep(chatId, known)
    return known
  }
  const all = () => [...byChat.values(), ...(fresh ? [fresh] : []), ...unstored]
  return {
    get,
    renew: () => {
      unstored = (fresh ? [...unstored, fresh] : unstored).filter(({ store }) => store.getState().live !== null)
      fresh = null
    },
    adopt: (session, chatId) => {
      if (fresh === session) fresh = null
      unstored = unstored.filter((one) => one !== session)
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
    all,
    leaveAll: () => {
      for (const session of all()) session.leave()
    },
  }
}
