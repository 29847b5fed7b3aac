import type { AnswerStep } from '../../stream/answer-event.ts'
import { isCallFailure } from '../../stream/call-failure.ts'
import { createFrameBatch } from '../../stream/frame-batch.ts'
import type { AnswerEnd, AnswerRequest } from '../../stream/read-answer.ts'
import { type Begun, takeBegun, takeSteps } from '../state/answer-steps.ts'
import { endAnswer } from '../state/end-answer.ts'
import { detachLive } from '../state/live-merge.ts'
import { type ThreadState, takeBack } from '../state/thread-state.ts'
import type { ChatSessionDeps, SessionCore } from './session-core.ts'
import { socketTimeoutMs } from './session-loading.ts'

interface ReadingCore extends Pick<SessionCore, 'deps' | 'store' | 'change' | 'created'> {
  /** An answer has ended; `before` is the thread until then. */
  readonly ended: (end: AnswerEnd, before: ThreadState) => void
  readonly settle: (request: AnswerRequest) => Promise<void>
}

/** Reads answers over this tab's own streams, one at a time. */
export function createReading({ deps, store, change, created, ended, settle }: ReadingCore) {
  let reading: AbortController | null = null
  /** Lets the socket send the events of answers again, which it does not while one is being read here. */
  let unmute: (() => void) | null = null
  /** The client id of the message whose answer is being read. */
  let sentId: string | null = null

  function muteSocket(chatId: string | null) {
    if (chatId !== null && !deps.isGuest()) unmute ??= deps.live.mute(chatId)
  }

  function unmuteSocket() {
    unmute?.()
    unmute = null
  }

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
    if (before.chatId === null && nowId !== null && !deps.isGuest()) {
      muteSocket(nowId)
      created(nowId)
    }
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
      muteSocket(begun.chatId)
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
    muteSocket(store.getState().chatId)
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
    if (reading === own || reading === null) unmuteSocket()
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

/** Stores a guest's thread in the tab. */
export function keepGuestThread(deps: ChatSessionDeps, { messages, live }: ThreadState): void {
  if (deps.isGuest()) deps.guestThread.write({ messages, generating: live?.messageId ?? null })
}
