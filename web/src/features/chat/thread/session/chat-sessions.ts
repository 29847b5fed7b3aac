import type { ThreadState } from '../state/thread-state.ts'
import type { ChatSession } from './chat-session.ts'

const mostIdle = 20

/** Whether the server has everything the thread shows, so that it can be reloaded. */
const isIdle = ({ live, messages, unsent, editing }: ThreadState): boolean =>
  live === null && unsent.length === 0 && editing === null && messages.every(({ id }) => id !== null)

/** The chats open in this page with their state, created with `create` on demand; of the idle ones only the most recent are kept. */
export function createChatSessions(create: (chatId: string | null) => ChatSession) {
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
  /** The session of a chat to be shown, the same one while it is kept; null for the new chat without an id. */
  const get = (chatId: string | null): ChatSession => {
    if (chatId === null) {
      fresh ??= create(null)
      return fresh
    }
    const known = byChat.get(chatId) ?? create(chatId)
    keep(chatId, known)
    return known
  }
  const all = (): readonly ChatSession[] => [...byChat.values(), ...(fresh ? [fresh] : []), ...unstored]
  return {
    get,
    /** Replaces the new chat with an empty one. */
    renew: (): void => {
      unstored = (fresh ? [...unstored, fresh] : unstored).filter(({ store }) => store.getState().live !== null)
      fresh = null
    },
    /** The new chat has got its id. */
    adopt: (session: ChatSession, chatId: string): void => {
      if (fresh === session) fresh = null
      unstored = unstored.filter((one) => one !== session)
      keep(chatId, session)
    },
    /** The chat was deleted. */
    forget: (chatId: string): void => {
      byChat.get(chatId)?.leave()
      byChat.delete(chatId)
    },
    /** Whether this tab is itself reading an answer to its end. */
    isGenerating: (): boolean =>
      all().some((session) => {
        const { live } = session.store.getState()
        return live !== null && live.source !== 'socket'
      }),
    all,
    /** Stops reading all answers; they continue on the server. */
    leaveAll: (): void => {
      for (const session of all()) session.leave()
    },
  }
}

export type ChatSessions = ReturnType<typeof createChatSessions>
