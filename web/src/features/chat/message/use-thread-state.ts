import { useStore } from 'zustand'
import type { ChatSession } from '../thread/session/chat-session.ts'

/** Whether an answer is being generated in this chat. */
export const useIsBusy = ({ store }: ChatSession): boolean => useStore(store, ({ live }) => live !== null)

/** Whether the message with this key is the chat's last one, which everybody can continue and guests can retry. */
export const useIsLast = ({ store }: ChatSession, key: string): boolean =>
  useStore(store, ({ messages, hasNewer }) => !hasNewer && messages.at(-1)?.key === key)
