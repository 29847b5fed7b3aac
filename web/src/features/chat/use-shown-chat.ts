import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { onBrowserWake } from './stream/wake.ts'
import type { ChatSession } from './thread/chat-session.ts'

/** Asks for a chat's messages when it is shown, and stops reading its answer when another is: the connection is wanted there. */
export function useOpenSession(session: ChatSession): void {
  useEffect(() => {
    void session.open()
    return () => {
      if (session.store.getState().chatId !== null) session.leave()
    }
  }, [session])
}

/** Going to the new chat while it is shown already begins another one. */
export function useRenewal(chatId: string | null, renew: () => void): void {
  const { key } = useLocation()
  const [before, setBefore] = useState(key)
  if (before === key) return
  setBefore(key)
  if (chatId === null) renew()
}

/** Follows an answer again, once, when the network or the tab comes back after it was given up. */
export function useReconnect(session: ChatSession, retry: () => void): void {
  const lost = useStore(session.store, (state) => state.messages.at(-1)?.failure?.code === 'lost')
  useEffect(() => (lost ? onBrowserWake(retry) : undefined), [lost, retry])
}
