import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useStore } from 'zustand'
import { creditsQuery, historyQuery } from '../../../shared/api/index.ts'
import { onBrowserWake, useLive } from '../../../shared/live/index.ts'
import { getSession, hasLeft, subscribeToTabs } from '../../../shared/session/index.ts'
import type { ComposerDrafts } from '../composer/composer-drafts.ts'
import { noteLeft } from '../running-answers.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import type { ChatSessions } from '../thread/session/chat-sessions.ts'
import { giveBackUnsent } from '../thread/state/thread-state.ts'

/** Loads a chat's messages when it is shown, and stops reading its answer when another one is, which needs the connection. */
export function useOpenSession(session: ChatSession): void {
  const live = useLive()
  useEffect(() => {
    void session.open()
    return () => {
      // A message waiting for the network is sent whichever chat is shown then.
      const { chatId, live: running } = session.store.getState()
      if (chatId === null || isOffline(session)) return
      session.leave()
      if (running && running.source !== 'image') noteLeft(live, chatId, running.messageId)
    }
  }, [session, live])
}

const isOffline = ({ store }: ChatSession): boolean => store.getState().live?.connection === 'offline'

/**
 * On unload, returns messages that wait for the network to their chats' drafts, which are stored; when the session expires also those that were refused
 * because of it. After a sign-out nothing is stored.
 */
export function useUnsentSaved(session: ChatSession, sessions: ChatSessions, drafts: ComposerDrafts): void {
  const shown = useRef(session)
  shown.current = session
  const [hadUser] = useState(() => getSession().user !== null)
  // A layout effect, because the composer, which takes over the open chat's draft, still exists when those of its parents are cleaned up.
  useLayoutEffect(() => {
    const keep = () => {
      if (hadUser && hasLeft()) return
      const isExpired = hadUser && getSession().user === null
      for (const one of sessions.all()) {
        const { returned: before } = one.store.getState()
        if (isOffline(one)) one.stop()
        else if (isExpired) one.store.setState(giveBackUnsent)
        const { chatId, returned } = one.store.getState()
        if (one !== shown.current && returned && returned !== before) drafts.giveBack(chatId, returned)
      }
    }
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [sessions, drafts, hadUser])
}

/** Applies changes by the user's other tabs while there is no socket: to the list, the credits and the open chat. */
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

/** Opening the new chat while it is already open starts another one. */
export function useRenewal(chatId: string | null, renew: () => void): void {
  const { key } = useLocation()
  const [before, setBefore] = useState(key)
  if (before === key) return
  setBefore(key)
  if (chatId === null) renew()
}

/** Resumes an abandoned answer, once, when the network or the tab returns. */
export function useReconnect({ store, retry }: ChatSession): void {
  const lost = useStore(store, (state) => state.messages.at(-1)?.failure?.code === 'lost')
  useEffect(() => (lost ? onBrowserWake(retry) : undefined), [lost, retry])
}
