import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { creditsQuery, historyQuery } from '../../shared/api/index.ts'
import { onBrowserWake, useLive } from '../../shared/live/index.ts'
import { getSession, subscribeToTabs } from '../../shared/session/index.ts'
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

/** Shows what other tabs of the same person did while there is no socket: to the list, to the credits, and in the shown chat. */
export function useOtherTabs(session: ChatSession): void {
  const client = useQueryClient()
  const live = useLive()
  useEffect(
    () =>
      subscribeToTabs(({ userId, chatId }) => {
        if (userId !== getSession().user?._id || live.isLive()) return
        void client.invalidateQueries({ queryKey: historyQuery.queryKey })
        void client.invalidateQueries({ queryKey: creditsQuery.queryKey })
        if (chatId !== null && chatId === session.store.getState().chatId) void session.open()
      }),
    [client, live, session],
  )
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
