import type { ChatDetail } from '@parley/contracts'
import { isCallFailure } from '../../stream/call-failure.ts'
import { beginResume } from '../state/begin-answer.ts'
import { detachLive } from '../state/live-merge.ts'
import { takeLatest, takeOlder } from '../state/thread-pages.ts'
import { leavePosition, takeAround, takeEnd, takeNewer } from '../state/thread-position.ts'
import type { SessionCore } from './session-core.ts'

/** Milliseconds to wait for the socket's snapshot or answer before falling back to the API. */
export const socketTimeoutMs = 3_000

/** Loads a chat's messages, and follows its running answer. */
export function createLoading(core: LoadCore) {
  const { store, change } = core
  const retry = createRetry()
  const load = async (): Promise<void> => {
    retry.cancel()
    if (await loadOnce(core)) retry.reset()
    else retry.later(() => void open())
  }
  const { run, open, again } = createQueue(load)
  const loadNewer = createPageLoad(core, 'newer')
  return {
    open,
    /** Ends the retries of a thread that could not be refreshed. */
    leaveOutdated: retry.cancel,
    reload: (): Promise<void> => {
      change(detachLive)
      // The response in flight may be older than this request.
      again()
      return open()
    },
    toEnd: () => {
      const { hasNewer, loading } = store.getState()
      if (!hasNewer && loading !== 'failed') return
      change(leavePosition)
      again()
      void open()
    },
    loadOlder: createPageLoad(core, 'older'),
    loadNewer: async () => {
      const { hasNewer: before } = store.getState()
      await loadNewer()
      // An answer may be running at the end.
      if (before && !store.getState().hasNewer) await open()
    },
    reveal: async (messageId: string) => {
      const beginning = beginningOf(store)
      if (beginning) await beginning
      const { chatId, messages } = store.getState()
      if (messages.some(({ id }) => id === messageId)) change((state) => ({ ...state, target: messageId }))
      else if (chatId !== null) await run(() => goTo(core, chatId, messageId, load))
    },
    showLatest: () => run(() => leaveFor(core)),
  }
}

/** Milliseconds between the tries to refresh a shown thread: doubles up to the most. */
const retryPauseMs = { first: 2_000, most: 60_000 }

/** A work that is done later, each time after a longer pause until `reset`. */
function createRetry() {
  let pauseMs = retryPauseMs.first
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    later: (work: () => void) => {
      timer = setTimeout(work, pauseMs)
      pauseMs = Math.min(pauseMs * 2, retryPauseMs.most)
    },
    cancel: () => clearTimeout(timer),
    reset: () => {
      pauseMs = retryPauseMs.first
    },
  }
}

/** Serialises loads: `open` joins the running one, `run` waits for it, and `again` schedules another after it. */
function createQueue(load: () => Promise<void>) {
  let running: Promise<void> | null = null
  let wanted = false
  const run = (first: () => Promise<void>): Promise<void> => {
    const before = running
    const work = async () => {
      if (before) await before
      await first()
      while (wanted) {
        wanted = false
        await load()
      }
    }
    const own = work().finally(() => {
      if (running === own) running = null
    })
    running = own
    return own
  }
  return {
    run,
    open: () => running ?? run(load),
    again: () => {
      wanted = running !== null
    },
  }
}

/** Resolves once the server has stored the message being sent, if any: its stream must not be closed before. */
function beginningOf(store: LoadCore['store']): Promise<void> | undefined {
  const isBegun = () => store.getState().live?.messageId !== null
  if (isBegun()) return undefined
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (!isBegun()) return
      stop()
      resolve()
    })
  })
}

/**
 * A load of the messages before or after the shown ones, which concurrent callers share: all of a page that arrives a second time is known, so
 * that the thread would seem to end there.
 */
function createPageLoad(core: LoadCore, which: 'older' | 'newer'): () => Promise<void> {
  let running: { readonly position: number; readonly ended: Promise<void> } | null = null
  return () => {
    const { position } = core.store.getState()
    // The page of another position is not applied.
    if (running?.position === position) return running.ended
    const own = {
      position,
      ended: loadBeside(core, which).finally(() => {
        if (running === own) running = null
      }),
    }
    running = own
    return own.ended
  }
}

/** Loads messages before or after the shown ones. */
async function loadBeside({ deps, store, change }: LoadCore, which: 'older' | 'newer'): Promise<void> {
  const { chatId, hasMore, hasNewer, loading, messages, live, position } = store.getState()
  const stored = messages.filter(({ id }) => id !== null)
  const [edge, open] = which === 'older' ? [stored[0]?.id, hasMore] : [stored.at(-1)?.id, hasNewer && live === null]
  if (!open || loading !== 'none' || chatId === null || !edge) return
  change((state) => ({ ...state, loading: which }))
  try {
    const chat = await deps.readPage(chatId, which === 'older' ? { before: edge } : { around: edge })
    const take = which === 'older' ? takeOlder : takeNewer
    change((state) => (state.position === position ? take(state, chat) : state))
  } catch {
    // Scrolling there again retries.
    change((state) => (state.position === position ? { ...state, loading: 'none' } : state))
  }
}

/** Shows the page around a message, in the version of the thread that contains it. */
async function goTo(core: LoadCore, chatId: string, messageId: string, load: () => Promise<void>): Promise<void> {
  const { deps, store, change, release } = core
  const before = store.getState().live?.key
  try {
    const chat = await deps.readPage(chatId, { around: messageId })
    if (chat.shown === false) await deps.showPath(chatId, messageId)
    const { live } = store.getState()
    // A message sent meanwhile takes precedence.
    if (live && live.key !== before) return
    release()
    change((state) => takeAround(state, chat, messageId))
    if (chat.generating) followElsewhere(core, chatId, chat.generating)
  } catch (error) {
    deps.events.actionFailed('go', error)
    await load()
  }
}

/** Replaces the page around a message with the latest messages. */
async function leaveFor(core: LoadCore): Promise<void> {
  const { deps, store, change } = core
  const { chatId, hasNewer, live } = store.getState()
  if (chatId === null || !hasNewer || live) return
  try {
    const chat = await deps.readPage(chatId)
    if (!store.getState().hasNewer) return
    change((state) => takeEnd(state, chat))
    if (chat.generating) followElsewhere(core, chatId, chat.generating)
  } catch (error) {
    deps.events.actionFailed('go', error)
  }
}

type LoadCore = Omit<SessionCore, 'reload' | 'toEnd'>

/** Resolves to false if the shown messages may be outdated, since the server did not answer. */
async function loadOnce(core: LoadCore): Promise<boolean> {
  const { deps, store, change } = core
  const { chatId, live, hasNewer, loading, messages } = store.getState()
  const isFirst = loading === 'first' || messages.length === 0
  // A user who reads an old part of the thread must not lose the place. What precedes a message just sent is loaded, too.
  if (hasNewer || (live && !isFirst)) return true
  if (chatId === null) {
    restoreGuestThread(core)
    return true
  }
  if (isFirst) change((state) => ({ ...state, loading: 'first' }))
  try {
    const chat = await deps.readPage(chatId)
    if (store.getState().live) {
      // Messages sent before the first page arrived follow it; the position of others is known to the server only.
      if (isFirst)
        change((state) => ({ ...takeOlder(state, chat), title: chat.title, archived: chat.archived === true }))
      else core.reloadLater()
      return true
    }
    // The response may be older than what was sent and answered meanwhile.
    if (store.getState().messages !== messages) return await loadOnce(core)
    change((state) => takeLatest(state, chat))
    if (chat.generating) followElsewhere(core, chatId, chat.generating)
    return true
  } catch (error) {
    const status = isCallFailure(error) ? error.status : 0
    const failure = status === 404 ? 'missing' : 'failed'
    // Messages already shown are more useful than the failure to refresh them.
    const isShown = store.getState().messages.length > 0
    change((state) => ({ ...state, loading: isShown ? 'none' : failure }))
    return !(isShown && isPassing(status))
  }
}

/** Whether the next call may succeed: nobody answered, or the server is overloaded or failing. */
const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500

/** Follows an answer running on the server: over the socket if connected, which needs no extra connection, else over a stream. */
function followElsewhere(core: LoadCore, chatId: string, running: NonNullable<ChatDetail['generating']>): void {
  const { deps, store, change } = core
  const { messageId, generationId } = running
  if (!deps.live.isLive()) {
    followStream(core, messageId, generationId)
    return
  }
  change((state) => beginResume(state, messageId, deps.now(), 'socket', generationId))
  deps.live.requestState(chatId)
  setTimeout(() => {
    const { live } = store.getState()
    if (live?.source === 'socket' && live.messageId === messageId && live.lastSeq === null) continueByStream(core)
  }, socketTimeoutMs)
}

function followStream({ deps, change, follow }: LoadCore, messageId: string, streamId = messageId): void {
  change((state) => beginResume(state, messageId, deps.now(), 'stream', streamId))
  follow({ type: 'resume', streamId, after: 0 })
}

/** Continues with a stream where the socket stopped; does nothing if no answer is followed over it. */
export function continueByStream({ store, change, follow }: Pick<SessionCore, 'store' | 'change' | 'follow'>): void {
  const { live } = store.getState()
  if (live?.source !== 'socket' || live.streamId === null) return
  const after = live.lastSeq ?? 0
  change((state) => ({ ...state, live: { ...live, source: 'stream', lastSeq: after, missesEvents: false } }))
  follow({ type: 'resume', streamId: live.streamId, after })
}

function restoreGuestThread(core: LoadCore): void {
  const { deps, store, change } = core
  if (!deps.isGuest() || store.getState().messages.length > 0) return
  const kept = deps.guestThread.read()
  if (!kept) return
  change((state) => ({ ...state, messages: kept.messages }))
  if (kept.generating) followStream(core, kept.generating)
}
