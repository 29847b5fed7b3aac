import { type QueryClient, useQueryClient } from '@tanstack/react-query'
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

/** Everything that an admin's change of models or settings alters. */
const settingsKeys = [hierarchyQuery, authConfigQuery, guestInfoQuery, toolsQuery].map(({ queryKey }) => queryKey)

const refetch = (client: QueryClient, keys: readonly (readonly unknown[])[]) => {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey })
}

/** Applies push events about the user: rights, credits, models and the list of chats. Without a socket the list is polled. */
export function usePushedChanges(): void {
  const client = useQueryClient()
  const state = useLiveState()
  useServerEvent('user:update', ({ credits, isBanned, isAdmin }) => {
    const { user } = getSession()
    if (user && (isBanned !== undefined || isAdmin !== undefined)) {
      setRights({ isBanned: isBanned ?? user.isBanned, isAdmin: isAdmin ?? user.isAdmin })
    }
    if (credits) takeRemaining(client, credits.remaining)
  })
  useServerEvent('models:update', () => refetch(client, settingsKeys))
  useServerEvent('memory:update', () => refetch(client, [memoryKey]))
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
      refetch(client, [historyQuery.queryKey])
    }, listDelayMs)
  }
  useServerEvent('chat:update', (update) => {
    changeListed(client, (chats, isTop) => takeUpdate(chats, update, isTop))
    refetch(client, [chatQuery(update.chatId).queryKey])
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
  useEffect(() => {
    if (state === 'live') {
      // Events before the connection were missed, also those between the page's load and its first connection.
      const own = [profileQuery, historyQuery, creditsQuery].map(({ queryKey }) => queryKey)
      refetch(client, [...own, memoryKey, ...settingsKeys])
      return
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refetch(client, [historyQuery.queryKey])
    }, historyPollMs)
    return () => clearInterval(timer)
  }, [client, state])
}
