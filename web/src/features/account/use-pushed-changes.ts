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

/** Milliseconds between two looks at the list of chats while nothing is pushed. */
const historyPollMs = 30_000
/** Milliseconds from a change of a chat to the look at the list, one for all changes of that time: an answer's first words are not to wait for it. */
const listDelayMs = 1_000

/** Takes in what the server pushes about the person: rights, credits, models and the list of chats. Without a socket the list is asked for now and then. */
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
      // What happened before the connection was not pushed; at the start all but this has only just been asked for.
      const missed = [profileQuery, historyQuery, ...(lost.current ? [creditsQuery, hierarchyQuery] : [])]
      for (const { queryKey } of missed) void client.invalidateQueries({ queryKey })
      if (lost.current) void client.invalidateQueries({ queryKey: memoryKey })
      return
    }
    lost.current ||= state === 'away'
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void client.invalidateQueries({ queryKey: historyQuery.queryKey })
    }, historyPollMs)
    return () => clearInterval(timer)
  }, [client, state])
}
