import type { Feedback } from '@parley/contracts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { AnswerStep } from '../../stream/answer-event.ts'
import { isCallFailure } from '../../stream/call-failure.ts'
import { createFrameBatch } from '../../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../../stream/read-answer.ts'
import { type Begun, takeBegun, takeSteps } from '../state/answer-steps.ts'
import { addsNothing, endAnswer } from '../state/end-answer.ts'
import { type ChatEvent, detachLive, mergeLive } from '../state/live-merge.ts'
import { leavePosition } from '../state/thread-position.ts'
import { emptyThread, type ThreadState, takeBack } from '../state/thread-state.ts'
import type { ChatSessionDeps, SendOptions, SendResult, SessionCore } from './session-core.ts'
import { createImages } from './session-image.ts'
import { continueByStream, createLoading, socketTimeoutMs } from './session-loading.ts'
import { createSending } from './session-sending.ts'
import { createVersions } from './session-versions.ts'

/** One chat, either visible or in the background while its answer runs. */
export interface ChatSession {
  readonly key: string
  readonly store: StoreApi<ThreadState>
  /** Loads the latest messages and follows a running answer. Does nothing while one is being followed. */
  open(): Promise<void>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  /** Scrolls to a message, anywhere in the thread and in any version of it. */
  reveal(messageId: string): Promise<void>
  /** Returns from the page around a message to the end of the thread. */
  showLatest(): Promise<void>
  send(text: string, model: string, options?: SendOptions): SendResult
  /** Resends a failed message. */
  resend(messageKey: string, model: string): void
  /** Regenerates the last answer, or resumes following it if only the connection was lost. */
  retry(model: string): void
  /** Replaces a user's message with a new version and requests an answer. */
  edit(messageKey: string, text: string, model: string): SendResult
  /** Requests another version of an answer. */
  regenerate(messageKey: string, model: string): void
  /** Continues the incomplete answer at the end of the thread, in its row. */
  continueAnswer(messageKey: string, model: string): void
  /** Shows the version of the thread that contains this message. */
  showVersion(messageId: string): Promise<void>
  /** Rates an answer; null withdraws the rating. */
  rate(messageKey: string, rating: Feedback['rating'] | null, reason?: string): Promise<void>
  /** Generates an image with `imageModel`, or the installation's default; a new chat is created with `model`. */
  makeImage(prompt: string, model: string, imageModel?: string): SendResult
  stop(): void
  /** Applies a socket event of this chat. */
  receive(event: ChatEvent): void
  /** The socket is lost: an answer followed over it continues over a stream. */
  socketLost(): void
  /** Stops reading; the answer itself continues on the server. */
  leave(): void
}

/** A session of chat `chatId`, or null for a new one. It loads nothing by itself. */
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

  /** Shows the server's state, so that a retry continues in the same chat. */
  async function settle(request: AnswerRequest): Promise<void> {
    const clientMessageId = request.type === 'send' ? request.body.clientMessageId : undefined
    if (store.getState().chatId === null && clientMessageId) {
      // If it cannot be found the thread is unchanged, and resending creates a chat.
      const found = await deps.findChat(clientMessageId).catch(() => null)
      if (found === null || store.getState().live) return
      change((state) => ({ ...state, chatId: found }))
      created(found)
    }
    if (store.getState().chatId !== null) await reload()
  }

  return session
}

/** A failed continuation is reported outside of the thread, where the answer is unchanged. */
function tellFailure({ events }: ChatSessionDeps<ChatSession>, end: AnswerEnd, before: ThreadState): void {
  if (end.type === 'refused') events.actionFailed('continue', end.failure)
  else if (addsNothing(before, end)) events.actionFailed('continue', null)
}

/** Whether the server has more than the stream sent: versions, complete search results, images of tools. */
const isMoreThanText = ({ live, replaced }: ThreadState): boolean =>
  replaced !== null || (live !== null && (live.webSearch !== null || live.toolCalls.length > 0))

interface ReadingCore extends Pick<SessionCore, 'deps' | 'store' | 'change' | 'created'> {
  /** An answer has ended; `before` is the thread until then. */
  readonly ended: (end: AnswerEnd, before: ThreadState) => void
  readonly settle: (request: AnswerRequest) => Promise<void>
}

/** Reads answers over this tab's own streams, one at a time. */
function createReading({ deps, store, change, created, ended, settle }: ReadingCore) {
  let reading: AbortController | null = null
  /** The client id of the message whose answer is being read. */
  let sentId: string | null = null

  /** @param isAwaited the server may not know the id yet: it then stops the answer as soon as the message arrives */
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
      // A guest's chat has an id only for the duration of one answer.
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
   * The socket reports a new chat as soon as its message is stored, the stream only with the first words; without the socket
   * it is found through the list of chats. Returns a function that unsubscribes.
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
      // If it cannot be found now, the stream will report it.
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
      // The first words are rendered immediately, the rest frame by frame.
      if (store.getState().live?.phase === 'waiting' && hasWords(step.value)) batch.flush()
      step = await steps.next()
    }
    unsubscribe()
    // Another answer may be shown by now, and must not be ended by this one's last events.
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

/** Ends after which only the server knows its state: it may have stored a message although it failed to answer. */
const isUncertain = (end: AnswerEnd): boolean =>
  end.type === 'gone' || (end.type === 'refused' && end.failure.status >= 500)

function keepGuestThread(deps: ChatSessionDeps, { messages, live }: ThreadState): void {
  if (deps.isGuest()) deps.guestThread.write({ messages, generating: live?.messageId ?? null })
}
