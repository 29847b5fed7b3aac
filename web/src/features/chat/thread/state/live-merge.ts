import type { Message, ServerEvent, ServerPayload } from '@parley/contracts'
import { type AnswerStep, decodeMessage, type MessageOf } from '../../stream/answer-event.ts'
import { takeSteps } from './answer-steps.ts'
import { beginResume } from './begin-answer.ts'
import { fromServer, type ThreadMessage, withLive } from './thread-message.ts'
import { isSame } from './thread-pages.ts'
import type { ThreadState } from './thread-state.ts'

/** The names of the socket events of a joined chat. */
export const chatEvents = [
  'chat:init',
  'msg:append',
  'stream:delta',
  'stream:tool',
  'stream:websearch',
  'stream:done',
  'chat:update',
] as const satisfies readonly ServerEvent[]
export type ChatEvent = MessageOf<(typeof chatEvents)[number]>

/**
 * The effect of an event on a thread. `reload`: only the server knows the new state; `later`: the same, after this tab's own answer has ended;
 * `resume`: events of the answer are missing, so a stream must continue from the last applied one.
 */
export type Merge =
  | { readonly type: 'keep' }
  | { readonly type: 'take'; readonly state: ThreadState }
  | { readonly type: 'reload' }
  | { readonly type: 'later' }
  | { readonly type: 'resume' }

const keep: Merge = { type: 'keep' }

/** Decides the effect of an event that arrived at `at` (milliseconds since the epoch). An answer has one source at a time: no text is duplicated. */
export function mergeLive(state: ThreadState, event: ChatEvent, at: number): Merge {
  if (state.hasNewer) return mergeElsewhere(state, event, at)
  switch (event.type) {
    case 'chat:init':
      return mergeInit(state, event, at)
    case 'msg:append':
      return mergeMessage(state, event.message, at)
    case 'stream:delta':
    case 'stream:tool':
    case 'stream:websearch':
      return mergeStep(state, event.messageId, decodeMessage(event), at)
    case 'stream:done':
      return state.live?.source === 'socket' && state.live.messageId === event.messageId ? { type: 'reload' } : keep
    case 'chat:update':
      return mergeUpdate(state, event)
    default:
      return event satisfies never
  }
}

/** While an old part of the thread is shown, events at its end are not. */
function mergeElsewhere(state: ThreadState, event: ChatEvent, at: number): Merge {
  if (event.type === 'msg:append') {
    const known = state.messages.find((row) => isSame(row, event.message))
    return known ? mergeKnown(state, known, event.message, at) : keep
  }
  return event.type === 'chat:update' ? takeNaming(state, event) : keep
}

/** Whether this tab reads an answer itself, which socket events must not disturb. */
const readsItself = ({ live }: ThreadState): boolean => live !== null && live.source !== 'socket'

/** Failures that only this tab saw; the server may have the complete answer. */
const ownFailures = new Set(['lost', 'failed', 'timeout', 'broken-off', 'gone', 'network'])

const lastStored = ({ messages }: ThreadState): ThreadMessage | undefined => messages.findLast(({ id }) => id !== null)

function mergeInit(state: ThreadState, event: MessageOf<'chat:init'>, at: number): Merge {
  if (readsItself(state) || state.loading === 'first') return keep
  const last = lastStored(state)
  if ((last?.id ?? null) !== event.lastMessageId) return { type: 'reload' }
  if (event.generating) {
    const { messageId, generationId, lastEventId: seq, content, reasoning } = event.generating
    if (last?.id !== messageId) return { type: 'reload' }
    const followed =
      state.live?.messageId === messageId ? state : beginResume(state, messageId, at, 'socket', generationId)
    return mergeStep(followed, messageId, { type: 'snapshot', seq, content, reasoning }, at)
  }
  const isUnsettled = state.live !== null || last?.state === 'generating' || ownFailures.has(last?.failure?.code ?? '')
  return isUnsettled ? { type: 'reload' } : keep
}

function mergeMessage(state: ThreadState, message: Message, at: number): Merge {
  const known = state.messages.find((row) => isSame(row, message))
  if (known) return mergeKnown(state, known, message, at)
  if (readsItself(state)) {
    // The message of this tab's own answer may arrive here before its stream has sent the id.
    const isOwn = message.role === 'assistant' && (state.live?.messageId ?? message.id) === message.id
    return isOwn ? keep : { type: 'later' }
  }
  if (state.live !== null || state.loading === 'first') return { type: 'reload' }
  const last = state.messages.at(-1)
  if ((last?.id ?? null) !== message.parentId || (message.versions?.length ?? 0) > 1) return { type: 'reload' }
  const appended = { ...state, messages: [...state.messages, fromServer(message)], prepended: false }
  return message.status === 'generating' ? followNew(appended, message, at) : { type: 'take', state: appended }
}

/** An answer followed from its first event is complete; one that already has text needs a snapshot first. */
function followNew(state: ThreadState, message: Message, at: number): Merge {
  const begun = beginResume(state, message.id, at, 'socket', message.generationId)
  const untouched = message.content === '' && (message.reasoning ?? '') === ''
  const live = begun.live && { ...begun.live, resumed: false, lastSeq: untouched ? 0 : null }
  return { type: 'take', state: { ...begun, live } }
}

function mergeKnown(state: ThreadState, known: ThreadMessage, message: Message, at: number): Merge {
  const isLive = state.live?.key === known.key
  if (isLive && (readsItself(state) || message.status === 'generating')) return keep
  if (message.status === 'generating' && known.state !== 'generating') {
    const { generationId } = message
    const isContinued = generationId !== undefined && !known.generations.some(({ id }) => id === generationId)
    // A finished answer restarts only as another generation; other such events are late.
    return isContinued && state.live === null && !state.hasNewer ? followNew(state, message, at) : keep
  }
  const messages = state.messages.map((row) => (row === known ? fromServer(message, known) : row))
  return { type: 'take', state: { ...state, messages, live: isLive ? null : state.live, prepended: false } }
}

function mergeUpdate(state: ThreadState, update: ServerPayload<'chat:update'>): Merge {
  const { lastMessageId } = update
  const isElsewhere =
    lastMessageId !== undefined && state.loading !== 'first' && lastStored(state)?.id !== lastMessageId
  if (isElsewhere) return { type: readsItself(state) ? 'later' : 'reload' }
  return takeNaming(state, update)
}

/** Applies the chat's title and whether it is archived. */
function takeNaming(state: ThreadState, update: ServerPayload<'chat:update'>): Merge {
  const { title = state.title, archived = false } = update
  const isKnown = title === state.title && archived === state.archived
  return isKnown ? keep : { type: 'take', state: { ...state, title, archived } }
}

function mergeStep(state: ThreadState, messageId: string, step: AnswerStep, at: number): Merge {
  if (readsItself(state) || state.loading === 'first') return keep
  if (state.live?.messageId !== messageId) {
    const row = state.messages.find(({ id }) => id === messageId)
    return row && row.state !== 'generating' ? keep : { type: 'reload' }
  }
  const next = takeSteps(state, [step], at)
  if (next === state) return keep
  return next.live?.missesEvents ? { type: 'resume' } : { type: 'take', state: next }
}

/** The thread without the source of its answer, which keeps its text until another source continues it. */
export function detachLive(state: ThreadState): ThreadState {
  const { live } = state
  if (!live) return state
  const messages = state.messages.map((row) => (row.key === live.key ? withLive(row, live) : row))
  return { ...state, messages, live: null }
}
