import type { GuestSession } from '@parley/contracts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  creditsQuery,
  deferCredits,
  endpoints,
  guestInfoQuery,
  hierarchyQuery,
  request,
} from '../../shared/api/index.ts'
import { whenIdle } from '../../shared/lazy/index.ts'
import { onBrowserWake, useLive } from '../../shared/live/index.ts'
import { getSession, guestThreadKey, notifyTabs } from '../../shared/session/index.ts'
import { type ChatReader, findBegunChat } from './find-begun-chat.ts'
import { imageCalls } from './image-calls.ts'
import { refreshListSoon } from './refresh-list.ts'
import { noteRunning } from './running-answers.ts'
import { createApiTransport } from './stream/api-transport.ts'
import { createClientMessageId } from './stream/client-message-id.ts'
import { onNextFrame } from './stream/frame-batch.ts'
import { prepareReader, readAnswerLater } from './stream/read-answer-later.ts'
import { type ChatSession, createChatSession } from './thread/session/chat-session.ts'
import { type ChatSessions, createChatSessions } from './thread/session/chat-sessions.ts'
import { createGuestThreadStore } from './thread/session/guest-thread.ts'
import type { ChatSessionDeps, ChatSessionEvents } from './thread/session/session-core.ts'

/** The page's selected model, and the events of its chats that it handles; others are handled here for all chats. */
export interface ChatsPage extends Omit<ChatSessionEvents<ChatSession>, 'guest'> {
  /** Null while none is usable. */
  readonly model: string | null
}

/** The chats of this page, connected to the API and the surrounding UI. They stop reading on unmount. */
export function useChatSessions(page: ChatsPage): ChatSessions {
  const client = useQueryClient()
  const latest = useRef(page)
  latest.current = page
  const live = useLive()
  const [sessions] = useState(() => openSessions(client, live, () => latest.current))
  useEffect(() => () => sessions.leaveAll(), [sessions])
  useEffect(() => deferCredits(sessions.isGenerating), [sessions])
  useEffect(() => whenIdle(() => void prepareReader()), [])
  return sessions
}

function openSessions(client: QueryClient, live: ChatSessionDeps['live'], page: () => ChatsPage): ChatSessions {
  const isGuest = () => getSession().token === null
  const guestThread = createGuestThreadStore(() => sessionStorage, guestThreadKey)
  const reader = {
    transport: createApiTransport((headers) => takeAllowance(client, headers.get('x-guest-remaining-messages'))),
    onWake: onBrowserWake,
    isOnline: () => navigator.onLine,
    random: Math.random,
  }
  const sessions: ChatSessions = createChatSessions((chatId) => {
    const session = createChatSession(
      {
        model: () => page().model,
        readAnswer: (request, signal) => readAnswerLater(reader, request, signal),
        readPage: (id, at) => request(endpoints.chat, { params: { id }, query: { ...at } }),
        findChat: (clientMessageId) => findBegunChat(chatReader, clientMessageId),
        stopGeneration: (id) => request(endpoints.stop, { params: { id } }),
        showPath: (id, messageId) => request(endpoints.show, { params: { id }, body: { messageId } }),
        rateAnswer: (id, rating) => request(endpoints.rate, { params: { id }, body: rating }),
        images: imageCalls,
        live,
        createId: createClientMessageId,
        now: Date.now,
        schedule: onNextFrame,
        isGuest,
        guestThread,
        events: {
          guest: (guest) => setGuest(client, guest),
          started: () => page().started(),
          stopFailed: (error) => page().stopFailed(error),
          actionFailed: (action, error) => page().actionFailed(action, error),
          ended: (end, session) => {
            const refusal = end.type === 'refused' ? end.failure.code : null
            if (!isGuest()) {
              void client.invalidateQueries({ queryKey: creditsQuery.queryKey })
              notifyOtherTabs(session)
            }
            if (isGuest() && end.type !== 'done') void client.invalidateQueries({ queryKey: guestInfoQuery.queryKey })
            if (refusal === 'model_locked' || refusal === 'not_found') {
              void client.invalidateQueries({ queryKey: hierarchyQuery.queryKey })
            }
            page().ended(end, session)
          },
          created: (session: ChatSession, id) => {
            sessions.adopt(session, id)
            refreshListSoon(client)
            notifyOtherTabs(session)
            page().created(session, id)
          },
        },
      },
      chatId,
    )
    noteRunning(session)
    return session
  })
  return {
    ...sessions,
    renew: () => {
      if (isGuest()) {
        sessions.get(null).leave()
        guestThread.write({ messages: [], generating: null })
      }
      sessions.renew()
    },
  }
}

const notifyOtherTabs = (session: ChatSession): void =>
  notifyTabs({ userId: getSession().user?._id ?? '', chatId: session.store.getState().chatId })

const chatReader: ChatReader = {
  listChats: () => request(endpoints.history, { query: { limit: 1 } }),
  readChat: (id) => request(endpoints.chat, { params: { id } }),
}

function setGuest(client: QueryClient, guest: GuestSession): void {
  client.setQueryData(guestInfoQuery.queryKey, guest)
}

function takeAllowance(client: QueryClient, header: string | null): void {
  const remainingMessages = Number(header ?? Number.NaN)
  const guest = client.getQueryData(guestInfoQuery.queryKey)
  if (guest && Number.isInteger(remainingMessages)) setGuest(client, { ...guest, remainingMessages })
}
