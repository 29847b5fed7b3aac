import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useLive, useLiveState, useServerEvent } from '../../../shared/live/index.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import { type ChatEvent, chatEvents } from '../thread/state/live-merge.ts'

/** Milliseconds between reloads of the open chat without a socket. */
const pollMs = 30_000

/** Keeps the open chat in sync with other tabs and devices. `onDeleted` is called when it is deleted. */
export function useLiveChat(session: ChatSession, onDeleted: (chatId: string) => void): void {
  const live = useLive()
  const state = useLiveState()
  const chatId = useStore(session.store, (thread) => thread.chatId)
  useEffect(() => {
    if (chatId === null) return
    const subscriptions = chatEvents.map((type) =>
      live.on(type, (payload) => {
        // The name determines the payload, which the compiler cannot infer from a list of names.
        if (payload.chatId === chatId) session.receive({ type, ...payload } as ChatEvent)
      }),
    )
    const leave = live.join(chatId)
    return () => {
      leave()
      for (const unsubscribe of subscriptions) unsubscribe()
    }
  }, [live, session, chatId])
  useEffect(() => {
    if (state === 'live' || chatId === null) return
    session.socketLost()
    const timer = setInterval(() => {
      if (state !== 'off' && document.visibilityState === 'visible') void session.open()
    }, pollMs)
    return () => clearInterval(timer)
  }, [session, state, chatId])
  useServerEvent('chat:error', ({ chatId: refused }) => {
    if (refused === chatId) session.socketLost()
  })
  useServerEvent('chat:delete', ({ chatId: deleted }) => {
    if (deleted === chatId) onDeleted(deleted)
  })
  useServerEvent('chats:delete', ({ chatIds }) => {
    if (chatId !== null && chatIds.includes(chatId)) onDeleted(chatId)
  })
}
