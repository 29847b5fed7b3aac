import type { Feedback } from '@parley/contracts'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { createFrameBatch } from '../../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../../stream/read-answer.ts'
import { addsNothing } from '../state/end-answer.ts'
import { type ChatEvent, detachLive, mergeLive } from '../state/live-merge.ts'
import { leavePosition } from '../state/thread-position.ts'
import { emptyThread, type ThreadState } from '../state/thread-state.ts'
import type { ChatSessionDeps, SendOptions, SendResult, SessionCore } from './session-core.ts'
import { createImages } from './session-image.ts'
import { continueByStream, createLoading } from './session-loading.ts'
import { createReading, keepGuestThread } from './session-reading.ts'
import { createSending } from './session-sending.ts'
import { createVersions } from './session-versions.ts'

/** One chat, either visible or in the background while its answer runs. Nothing can be requested while no model is usable. */
export interface ChatSession {
  readonly key: string
  readonly store: StoreApi<ThreadState>
  /** Loads the latest messages and follows a running answer. Does nothing while one is being followed. */
  open(): Promise<void>
  /** Resolves once the page before the shown messages has loaded or failed to, also if it was being loaded already. */
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  /** Scrolls to a message, anywhere in the thread and in any version of it. */
  reveal(messageId: string): Promise<void>
  /** Returns from the page around a message to the end of the thread. */
  showLatest(): Promise<void>
  send(text: string, options?: SendOptions): SendResult
  /** Resends a failed message. */
  resend(messageKey: string): void
  /** Regenerates the last answer, or resumes following it if only the connection was lost. */
  retry(): void
  /** Replaces a user's message with a new version and requests an answer; the old version is kept. */
  edit(messageKey: string, text: string): SendResult
  /** Requests another version of an answer, by default with the selected model. */
  regenerate(messageKey: string, model?: string): void
  /** Continues the incomplete answer at the end of the thread, in its row, by default with the selected model. */
  continueAnswer(messageKey: string, model?: string): void
  /** Shows the version of the thread that contains this message. */
  showVersion(messageId: string): Promise<void>
  /** Rates an answer; null withdraws the rating. */
  rate(messageKey: string, rating: Feedback['rating'] | null, reason?: string): Promise<void>
  /** Generates an image with `imageModel`, or the installation's default; a new chat is created with the selected model. */
  makeImage(prompt: string, imageModel?: string): SendResult
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
  const { reload, toEnd, leaveOutdated, ...loading } = createLoading(base)
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
      leaveOutdated()
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
