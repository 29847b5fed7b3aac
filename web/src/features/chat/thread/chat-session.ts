import type { ChatDetail, GuestSession, SendBody } from '@parley/contracts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { createFrameBatch, type Schedule } from '../stream/frame-batch.ts'
import {
  type AnswerEnd,
  type AnswerReaderDeps,
  type AnswerRequest,
  type AnswerStep,
  readAnswer,
} from '../stream/read-answer.ts'
import { isDuplicate, type SentText } from './duplicate-guard.ts'
import { guestHistory } from './guest-history.ts'
import type { GuestThread } from './guest-thread.ts'
import {
  beginRegenerate,
  beginResume,
  beginSend,
  dropFrom,
  emptyThread,
  endAnswer,
  type ThreadState,
  takeLatest,
  takeOlder,
  takeSteps,
} from './thread-state.ts'

/** What one chat needs of the world. */
export interface ChatSessionDeps {
  readonly reader: AnswerReaderDeps
  /** A page of a chat: the latest messages, or those before one. */
  readonly readPage: (chatId: string, before: string | undefined) => Promise<ChatDetail>
  /** The chat in which the server keeps a message with this id that it failed to answer. */
  readonly findChat: (clientMessageId: string) => Promise<string | null>
  readonly stopAnswer: (messageId: string) => Promise<unknown>
  readonly createId: () => string
  readonly now: () => number
  readonly schedule: Schedule
  readonly isGuest: () => boolean
  readonly guestThread: { read(): GuestThread | null; write(thread: GuestThread): void }
  readonly events: ChatSessionEvents
}

/** What a chat tells the page around it. */
export interface ChatSessionEvents {
  /** The first message of a new chat was accepted. */
  created(session: ChatSession, chatId: string): void
  guest(guest: GuestSession): void
  /** An answer began, in words for those who do not see it. */
  started(): void
  ended(end: AnswerEnd, session: ChatSession): void
  stopFailed(error: unknown): void
}

/** What becomes of a text: taken, or not because it is blank, repeated or an answer is still running. */
export type SendResult = 'sent' | 'blank' | 'duplicate' | 'busy'

/** One chat on the screen, or in the background while its answer runs. */
export interface ChatSession {
  readonly key: string
  readonly store: StoreApi<ThreadState>
  /** Asks for the latest messages and follows an answer that runs. Does nothing while one is followed already. */
  open(): Promise<void>
  loadOlder(): Promise<void>
  send(text: string, model: string, options?: { force?: boolean }): SendResult
  /** Sends a failed message again. */
  resend(messageKey: string, model: string): void
  /** Makes the last answer anew, or follows it again when only the connection was lost. */
  retry(model: string): void
  stop(): void
  /** Stops reading; the answer itself goes on at the server. */
  leave(): void
}

/** A session of chat `chatId`, null for a new one. It opens nothing until asked. */
export function createChatSession(deps: ChatSessionDeps, chatId: string | null): ChatSession {
  const store = createStore<ThreadState>(() => emptyThread(chatId, chatId === null ? 'none' : 'first'))
  const change = (next: (state: ThreadState) => ThreadState) => store.setState(next, true)
  const session: ChatSession = {
    key: deps.createId(),
    store,
    ...createLoading(deps, store, change, (messageId) => follow({ type: 'resume', messageId, after: 0 })),
    ...createSending(deps, store, change, (request) => void follow(request)),
    stop: () => {
      const { live } = store.getState()
      if (!live || live.stopping) return
      change((state) => (state.live ? { ...state, live: { ...state.live, stopping: true } } : state))
      if (live.messageId) requestStop(live.messageId)
    },
    leave: () => reading?.abort(),
  }
  let reading: AbortController | null = null

  function requestStop(messageId: string) {
    deps.stopAnswer(messageId).catch((error: unknown) => {
      change((state) => (state.live ? { ...state, live: { ...state.live, stopping: false } } : state))
      deps.events.stopFailed(error)
    })
  }

  function take(steps: readonly AnswerStep[]) {
    const before = store.getState()
    change((state) => {
      const next = takeSteps(state, steps, deps.now())
      // A guest's chat has an id for the length of one answer only.
      return deps.isGuest() ? { ...next, chatId: null } : next
    })
    const { live, chatId: nowId } = store.getState()
    if (!live) return
    if (live.guest && live.guest !== before.live?.guest) deps.events.guest(live.guest)
    if (live.messageId === before.live?.messageId || !live.messageId) return
    keepGuestThread(deps, store.getState())
    if (before.chatId === null && nowId !== null && !deps.isGuest()) deps.events.created(session, nowId)
    if (live.stopping) requestStop(live.messageId)
  }

  async function follow(request: AnswerRequest): Promise<void> {
    reading?.abort()
    const own = new AbortController()
    reading = own
    deps.events.started()
    const batch = createFrameBatch(take, deps.schedule)
    const steps = readAnswer(deps.reader, request, own.signal)
    let step = await steps.next()
    while (!step.done) {
      batch.push(step.value)
      step = await steps.next()
    }
    batch.flush()
    const end = step.value
    change((state) => endAnswer(state, end, deps.now()))
    if (end.type === 'left') return
    keepGuestThread(deps, store.getState())
    deps.events.ended(end, session)
    if (isUncertain(end) && !deps.isGuest()) await settle(request)
  }

  /** Shows what the server has, so that trying again goes on in the same chat. */
  async function settle(request: AnswerRequest): Promise<void> {
    const clientMessageId = request.type === 'send' ? request.body.clientMessageId : undefined
    if (store.getState().chatId === null && clientMessageId) {
      // Without an answer the thread stays as it is, and sending again begins a chat.
      const found = await deps.findChat(clientMessageId).catch(() => null)
      if (found === null || store.getState().live) return
      change((state) => ({ ...state, chatId: found }))
      deps.events.created(session, found)
    }
    if (store.getState().chatId !== null) await session.open()
  }

  return session
}

/** Ends after which only the server knows what it has: it may keep a message although it failed to answer it. */
const isUncertain = (end: AnswerEnd): boolean =>
  end.type === 'gone' || (end.type === 'refused' && end.failure.status >= 500)

type Change = (next: (state: ThreadState) => ThreadState) => void

function createLoading(
  deps: ChatSessionDeps,
  store: StoreApi<ThreadState>,
  change: Change,
  resume: (messageId: string) => Promise<void>,
) {
  const followAnswer = (messageId: string) => {
    change((state) => beginResume(state, messageId, deps.now()))
    void resume(messageId)
  }
  return {
    open: async () => {
      const { chatId, live } = store.getState()
      if (live) return
      if (chatId === null) return restoreGuestThread(deps, store, change, followAnswer)
      if (store.getState().messages.length === 0) change((state) => ({ ...state, loading: 'first' }))
      try {
        const chat = await deps.readPage(chatId, undefined)
        // What was sent before the messages came stands below them.
        if (store.getState().live) return change((state) => ({ ...takeOlder(state, chat), title: chat.title }))
        change((state) => takeLatest(state, chat))
        if (chat.generating) followAnswer(chat.generating.messageId)
      } catch {
        // What is on the screen already is worth more than the news that it could not be renewed.
        change((state) => ({ ...state, loading: state.messages.length === 0 ? 'failed' : 'none' }))
      }
    },
    loadOlder: async () => {
      const { chatId, messages, hasMore, loading } = store.getState()
      const before = messages.find((message) => message.id !== null)?.id
      if (!hasMore || loading !== 'none' || chatId === null || !before) return
      change((state) => ({ ...state, loading: 'older' }))
      try {
        const chat = await deps.readPage(chatId, before)
        change((state) => takeOlder(state, chat))
      } catch {
        // Scrolling up again asks again.
        change((state) => ({ ...state, loading: 'none' }))
      }
    },
  }
}

function restoreGuestThread(
  deps: ChatSessionDeps,
  store: StoreApi<ThreadState>,
  change: Change,
  followAnswer: (messageId: string) => void,
): void {
  if (!deps.isGuest() || store.getState().messages.length > 0) return
  const kept = deps.guestThread.read()
  if (!kept) return
  change((state) => ({ ...state, messages: kept.messages }))
  if (kept.generating) followAnswer(kept.generating)
}

function keepGuestThread(deps: ChatSessionDeps, { messages, live }: ThreadState): void {
  if (deps.isGuest()) deps.guestThread.write({ messages, generating: live?.messageId ?? null })
}

function createSending(
  deps: ChatSessionDeps,
  store: StoreApi<ThreadState>,
  change: Change,
  follow: (request: AnswerRequest) => void,
) {
  let sent: readonly SentText[] = []
  const post = (text: string, model: string, clientMessageId: string, force: boolean) => {
    const at = deps.now()
    const { messages, chatId } = store.getState()
    sent = [...sent.slice(-20), { text, at }]
    const sending = { userKey: deps.createId(), answerKey: deps.createId(), text, model, clientMessageId, at }
    change((state) => beginSend(state, sending))
    const body: SendBody = { message: text, model, clientMessageId, force }
    if (deps.isGuest()) body.messages = guestHistory(messages)
    else if (chatId !== null) body.chatId = chatId
    follow({ type: 'send', body })
  }
  const resend = (messageKey: string, model: string) => {
    const state = store.getState()
    const message = state.messages.find(({ key }) => key === messageKey)
    if (!message || state.live) return
    // The server refuses an id that comes again with another body, and the model is part of it.
    const sameBody = message.state === 'failed' && message.model === model && message.clientMessageId !== null
    change((current) => dropFrom(current, messageKey))
    post(message.content, model, sameBody && message.clientMessageId ? message.clientMessageId : deps.createId(), true)
  }
  return {
    resend,
    send: (text: string, model: string, { force = false } = {}): SendResult => {
      if (text.trim() === '') return 'blank'
      if (store.getState().live) return 'busy'
      if (!force && isDuplicate(sent, text, deps.now())) return 'duplicate'
      post(text, model, deps.createId(), force)
      return 'sent'
    },
    retry: (model: string) => {
      const { messages, chatId, live } = store.getState()
      const answer = messages.at(-1)
      const question = messages.at(-2)
      if (live || answer?.role !== 'assistant') return
      if (answer.id && answer.failure?.code === 'lost') {
        const messageId = answer.id
        change((state) => beginResume(state, messageId, deps.now()))
        follow({ type: 'resume', messageId, after: 0 })
      } else if (answer.id && chatId !== null && !deps.isGuest()) {
        change((state) => beginRegenerate(state, { answerKey: deps.createId(), model, at: deps.now() }))
        const body: SendBody = { model, chatId, regenerateMessageId: answer.id, clientMessageId: deps.createId() }
        follow({ type: 'send', body })
      } else if (question?.role === 'user') resend(question.key, model)
    },
  }
}
