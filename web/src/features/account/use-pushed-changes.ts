import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  authConfigQuery,
  changeListed,
  chatQuery,
  creditsQuery,
  guestInfoQuery,
  hierarchyQuery,
  historyQuery,
  memoryKey,
  profileQuery,
  takeRemaining,
  toolsQuery,
} from '../../shared/api/index.ts'
import { useLiveState, useServerEvent } from '../../shared/live/index.ts'
import { getSession, setRights } from '../../shared/session/index.ts'
import { takeUpdate } from './take-update.ts'

/** Milliseconds between polls of the list of chats without push events. */
const historyPollMs = 30_000
/** Debounce delay in milliseconds before the list is refetched after changes, so that it does not delay an answer's first words. */
const listDelayMs = 1_000

/** Applies push events about the user: rights, credits, models and the list of chats. Without a socket the list is polled. */
export function usePushedChanges(): void {
  const client = useQueryClient()
  const state = useLiveState()
  const refetch = (...keys: readonly (readonly unknown[])[]) => {
    for (const queryKey of keys) void client.invalidateQueries({ queryKey })
  }
  useServerEvent('user:update', ({ credits, isBanned, isAdmin }) => {
    const { user } = getSession()
    if (user && (isBanned !== undefined || isAdmin !== undefined)) {
      setRights({ isBanned: isBanned ?? user.isBanned, isAdmin: isAdmin ?? user.isAdmin })
    }
    if (credits) takeRemaining(client, credits.remaining)
  })
  useServerEvent('models:update', () =>
    refetch(hierarchyQuery.queryKey, authConfigQuery.queryKey, guestInfoQuery.queryKey, toolsQuery.queryKey),
  )
  useServerEvent('memory:update', () => refetch(memoryKey))
  const listTimer = useRef<number | undefined>(undefined)
  useEffect(
    () => () => {
      window.clearTimeout(listTimer.current)
      listTimer.current = undefined
    },
    [],
  )
  const askForListSoon = () => {
    listTimer.current ??= window.setTimeout(() => {
      listTimer.current = undefined
      refetch(historyQuery.queryKey)
    }, listDelayMs)
  }
  useServerEvent('chat:update', (update) => {
    changeListed(client, (chats, isTop) => takeUpdate(chats, update, isTop))
    refetch(chatQuery(update.chatId).queryKey)
    askForListSoon()
  })
  const forget = (chatIds: readonly string[]) => {
    const gone = new Set(chatIds)
    changeListed(client, (chats) => chats.filter(({ _id }) => !gone.has(_id)))
    for (const chatId of gone) client.removeQueries({ queryKey: chatQuery(chatId).queryKey })
    askForListSoon()
  }
  useServerEvent('chat:delete', ({ chatId }) => forget([chatId]))
  useServerEvent('chats:delete', ({ chatIds }) => forget(chatIds))
  const lost = useRef(false)
  useEffect(() => {
    if (state === 'live') {
      // Events before the connection were missed; on the first connection only these queries may be stale.
      const missed = [profileQuery, historyQuery, ...(lost.current ? [creditsQuery, hierarchyQuery] : [])]
      for (const queryKey of [...missed.map((query) => query.queryKey), memoryKey]) {
        void client.invalidateQueries({ queryKey })
      }
      return
    }
    lost.current ||= state === 'away'
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void client.invalidateQueries({ queryKey: historyQuery.queryKey })
    }, historyPollMs)
    return () => clearInterval(timer)
  }, [client, state])
}
