import type { Feedback } from '@parley/contracts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AnswerStep } from '../stream/answer-event.ts'
import { isCallFailure } from '../stream/call-failure.ts'
import { createFrameBatch } from '../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../stream/read-answer.ts'
import { type ChatEvent, detachLive, mergeLive } from './live-merge.ts'
import type { ChatSessionDeps, SendOptions, SendResult, SessionCore } from './session-core.ts'
import { createImages } from './session-image.ts'
import { continueByStream, createLoading, socketTimeoutMs } from './session-loading.ts'
import { createSending } from './session-sending.ts'
import { createVersions } from './session-versions.ts'
import { leavePosition } from './thread-position.ts'
import {
  addsNothing,
  type Begun,
  emptyThread,
  endAnswer,
  type ThreadState,
  takeBack,
  takeBegun,
  takeSteps,
} from './thread-state.ts'

/** One chat on the screen, or in the background while its answer runs. */
export interface ChatSession {
  readonly key: string
  readonly store: StoreApi<ThreadState>
  /** Asks for the latest messages and follows an answer that runs. Does nothing while one is followed already. */
  open(): Promise<void>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  /** Leads the view to a message, wherever in the thread and on whatever version of it. */
  reveal(messageId: string): Promise<void>
  /** Shows the end of the thread again, after the page around a message. */
  showLatest(): Promise<void>
  send(text: string, model: string, options?: SendOptions): SendResult
  /** Sends a failed message again. */
  resend(messageKey: string, model: string): void
  /** Makes the last answer anew, or follows it again when only the connection was lost. */
  retry(model: string): void
  /** Puts another version of a user's message in its place and asks for an answer to it. */
  edit(messageKey: string, text: string, model: string): SendResult
  /** Asks for another version of an answer. */
  regenerate(messageKey: string, model: string): void
  /** Has the answer at the end of the thread, which is not whole, go on in its row. */
  continueAnswer(messageKey: string, model: string): void
  /** Shows the version of the thread that this message is part of. */
  showVersion(messageId: string): Promise<void>
  /** Says what an answer was worth; null takes it back. */
  rate(messageKey: string, rating: Feedback['rating'] | null, reason?: string): Promise<void>
  /** Makes an image with `imageModel`, else the installation's; a new chat is begun with `model`. */
  makeImage(prompt: string, model: string, imageModel?: string): SendResult
  stop(): void
  /** Applies an event of the socket of this chat. */
  receive(event: ChatEvent): void
  /** The socket is gone: a stream goes on with an answer that was followed over it. */
  socketLost(): void
  /** Stops reading; the answer itself goes on at the server. */
  leave(): void
}

/** A session of chat `chatId`, null for a new one. It opens nothing until asked. */
export function createChatSession(deps: ChatSessionDeps<ChatSession>, chatId: string | null): ChatSession {
  const store = createStore<ThreadState>(() => emptyThread(chatId, chatId === null ? 'none' : 'first'))
  const change = (next: (state: ThreadState) => ThreadState) => store.setState(next, true)
  let outdated = false
  const reading = createReading({ deps, store, change, ended, settle, created: (id) => created(id) })
  const base = {
    deps,
    store,
    change,
    follow: (request: AnswerRequest) => void reading.follow(request),
    release: reading.release,
    created,
    ended: (end: AnswerEnd) => deps.events.ended(end, session),
    reloadLater: () => {
      outdated = true
    },
  }
  const { reload, toEnd, ...loading } = createLoading(base)
  const core: SessionCore = { ...base, reload, toEnd }
  const images = createImages(core)
  const session: ChatSession = {
    key: deps.createId(),
    store,
    ...loading,
    ...createVersions(core, loading.reveal),
    ...createSending(core, images),
    makeImage: images.makeImage,
    stop: () => (store.getState().live?.source === 'image' ? images.stopImage() : reading.stop()),
    receive: createFrameBatch<ChatEvent>((events) => events.forEach(handleEvent), deps.schedule).push,
    socketLost: () => continueByStream(core),
    leave: () => {
      reading.leave()
      if (store.getState().live?.source === 'socket') change(detachLive)
      if (store.getState().hasNewer) change(leavePosition)
    },
  }

  function created(id: string) {
    deps.events.created(session, id)
  }

  function handleEvent(event: ChatEvent) {
    const merge = mergeLive(store.getState(), event, deps.now())
    if (merge.type === 'take') change(() => merge.state)
    else if (merge.type === 'reload') void reload()
    else if (merge.type === 'later') base.reloadLater()
    else if (merge.type === 'resume') continueByStream(core)
  }

  function ended(end: AnswerEnd, before: ThreadState): void {
    keepGuestThread(deps, store.getState())
    deps.events.ended(end, session)
    if (before.replaced?.kind === 'part') tellFailure(deps, end, before)
    const incomplete = outdated || isMoreThanText(before)
    outdated = false
    if (incomplete && end.type !== 'refused' && !deps.isGuest()) void reload()
  }

  /** Shows what the server has, so that trying again goes on in the same chat. */
  async function settle(request: AnswerRequest): Promise<void> {
    const clientMessageId = request.type === 'send' ? request.body.clientMessageId : undefined
    if (store.getState().chatId === null && clientMessageId) {
      // Without an answer the thread stays as it is, and sending again begins a chat.
      const found = await deps.findChat(clientMessageId).catch(() => null)
      if (found === null || store.getState().live) return
      change((state) => ({ ...state, chatId: found }))
      created(found)
    }
    if (store.getState().chatId !== null) await reload()
  }

  return session
}

/** What kept an answer from going on is told beside the thread, where the answer stands as it was. */
function tellFailure({ events }: ChatSessionDeps<ChatSession>, end: AnswerEnd, before: ThreadState): void {
  if (end.type === 'refused') events.actionFailed('continue', end.failure)
  else if (addsNothing(before, end)) events.actionFailed('continue', null)
}

/** Whether the server has more of the answer than its stream brought: versions, whole search results, images of tools. */
const isMoreThanText = ({ live, replaced }: ThreadState): boolean =>
  replaced !== null || (live !== null && (live.webSearch !== null || live.toolCalls.length > 0))

interface ReadingCore extends Pick<SessionCore, 'deps' | 'store' | 'change' | 'created'> {
  /** An answer ended; `before` is the thread as it was until then. */
  readonly ended: (end: AnswerEnd, before: ThreadState) => void
  readonly settle: (request: AnswerRequest) => Promise<void>
}

/** Reading answers over streams of this tab's own, one at a time. */
function createReading({ deps, store, change, created, ended, settle }: ReadingCore) {
  let reading: AbortController | null = null
  /** The id that this tab gave the message whose answer it reads. */
  let sentId: string | null = null

  /** @param isAwaited whether the server may not know the id yet: it then stops the answer as soon as the message comes */
  function requestStop(id: string, isAwaited = false) {
    deps.stopGeneration(id).catch((error: unknown) => {
      if (isAwaited && isCallFailure(error) && error.status === 404) return
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
    if (before.live?.phase === 'waiting' && live.phase !== 'waiting') deps.events.started()
    if (live.guest && live.guest !== before.live?.guest) deps.events.guest(live.guest)
    if (live.messageId === before.live?.messageId || !live.messageId) return
    keepGuestThread(deps, store.getState())
    if (before.chatId === null && nowId !== null && !deps.isGuest()) created(nowId)
    if (live.stopping) requestStop(live.messageId)
  }

  /**
   * The socket reports a new chat as soon as its message is stored, the stream only with the answer's first words; the list of chats has it when the
   * socket is away. Answers how to unsubscribe.
   */
  function subscribeToNewChat(clientMessageId: string | null): () => void {
    if (clientMessageId === null || store.getState().chatId !== null || deps.isGuest()) return () => undefined
    const takeChat = (begun: Begun) => {
      if (begun.clientMessageId !== clientMessageId || store.getState().chatId !== null) return
      change((state) => takeBegun(state, begun))
      created(begun.chatId)
    }
    const unsubscribe = deps.live.on('chat:update', takeChat)
    const timer = setTimeout(() => {
      // What cannot be found now comes with the stream.
      const found = deps.findChat(clientMessageId).catch(() => null)
      void found.then((chatId) => chatId !== null && takeChat({ chatId, clientMessageId }))
    }, socketTimeoutMs)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }

  async function follow(request: AnswerRequest): Promise<void> {
    reading?.abort()
    const own = new AbortController()
    reading = own
    sentId = request.type === 'send' ? (request.body.clientMessageId ?? null) : null
    const unsubscribe = subscribeToNewChat(sentId)
    const batch = createFrameBatch(take, deps.schedule)
    const steps = deps.readAnswer(request, own.signal)
    let step = await steps.next()
    while (!step.done) {
      batch.push(step.value)
      // What has been waited for is drawn at once, and what follows with each frame.
      if (store.getState().live?.phase === 'waiting' && hasWords(step.value)) batch.flush()
      step = await steps.next()
    }
    unsubscribe()
    // Another answer may be shown by now, which this one's last words must not end.
    if (reading !== own) return batch.drop()
    batch.flush()
    const end = step.value
    const before = store.getState()
    change((state) => endAnswer(state, end, deps.now()))
    if (end.type === 'left') return
    ended(end, before)
    if (isUncertain(end) && !deps.isGuest()) await settle(request)
  }

  return {
    follow,
    release: () => {
      reading?.abort()
      reading = null
      change(detachLive)
    },
    leave: () => reading?.abort(),
    stop: () => {
      const { live } = store.getState()
      if (!live || live.stopping) return
      if (live.connection === 'offline') {
        reading?.abort()
        return change(takeBack)
      }
      change((state) => (state.live ? { ...state, live: { ...state.live, stopping: true } } : state))
      if (live.messageId) requestStop(live.messageId)
      else if (sentId !== null) requestStop(sentId, true)
    },
  }
}

const hasWords = (step: AnswerStep): boolean =>
  step.type === 'event' && (step.event.type === 'text' || step.event.type === 'reasoning')

/** Ends after which only the server knows what it has: it may keep a message although it failed to answer it. */
const isUncertain = (end: AnswerEnd): boolean =>
  end.type === 'gone' || (end.type === 'refused' && end.failure.status >= 500)

function keepGuestThread(deps: ChatSessionDeps, { messages, live }: ThreadState): void {
  if (deps.isGuest()) deps.guestThread.write({ messages, generating: live?.messageId ?? null })
}
