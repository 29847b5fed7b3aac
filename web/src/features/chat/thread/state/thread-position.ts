import type { ChatDetail } from '@parley/contracts'
import { fromServer } from './thread-message.ts'
import { isSame, takeLatest, unsentOf } from './thread-pages.ts'
import type { ThreadState } from './thread-state.ts'

/** Replaces everything shown with the page around message `messageId`, and targets it. */
export function takeAround(state: ThreadState, chat: ChatDetail, messageId: string): ThreadState {
  const moved = {
    ...state,
    live: null,
    replaced: null,
    target: messageId,
    position: state.position + 1,
  }
  if (chat.hasNewer !== true) return takeLatest({ ...moved, messages: unsentOf(state.messages, chat) }, chat)
  return {
    ...moved,
    title: chat.title,
    archived: chat.archived === true,
    messages: chat.messages.map((message) => fromServer(message)),
    unsent: unsentOf([...state.messages, ...state.unsent], { messages: [] }),
    hasMore: chat.hasMore,
    hasNewer: true,
    loading: 'none',
    prepended: false,
  }
}

/** Appends what follows the last shown message; `chat` is the page around that. */
export function takeNewer(state: ThreadState, chat: ChatDetail): ThreadState {
  const known = chat.messages.findLastIndex((message) => state.messages.some((row) => isSame(row, message)))
  const newer = chat.messages.slice(known + 1).map((message) => fromServer(message))
  const hasNewer = chat.hasNewer === true && newer.length > 0
  const [behind, unsent] = hasNewer ? [[], state.unsent] : [state.unsent, []]
  const messages = [...state.messages, ...newer, ...behind]
  return { ...state, messages, unsent, hasNewer, loading: 'none', prepended: false }
}

/** Replaces the page around a message with the latest messages. */
export const takeEnd = (state: ThreadState, chat: ChatDetail): ThreadState => takeLatest(leavePosition(state), chat)

/** Removes the page around a message; the latest messages must be loaded next. */
export const leavePosition = (state: ThreadState): ThreadState => ({
  ...state,
  messages: state.unsent,
  unsent: [],
  hasNewer: false,
  hasMore: true,
  loading: 'first',
  position: state.position + 1,
  target: null,
  words: null,
})
