import type { ChatDetail, Message } from '@parley/contracts'
import { fromServer, type ThreadMessage } from './thread-message.ts'
import type { ThreadState } from './thread-state.ts'

/** Applies the latest messages from the server; rows of the same messages are kept, unsent ones remain at the end. */
export function takeLatest(state: ThreadState, chat: ChatDetail): ThreadState {
  const fresh = chat.messages.map((message) =>
    fromServer(
      message,
      state.messages.find((known) => isSame(known, message)),
    ),
  )
  const firstKey = fresh[0]?.key
  const overlap = state.messages.findIndex(({ key }) => key === firstKey)
  const older = overlap > 0 ? state.messages.slice(0, overlap) : []
  return {
    ...state,
    title: chat.title,
    archived: chat.archived === true,
    messages: [...older, ...fresh, ...unsentOf([...state.messages, ...state.unsent], chat)],
    hasMore: older.length > 0 ? state.hasMore : chat.hasMore,
    hasNewer: false,
    unsent: [],
    loading: 'none',
    prepended: false,
  }
}

/** A message that seemed lost is recognised by its client id. */
export const isSame = (known: ThreadMessage, message: Message): boolean =>
  known.id === null
    ? known.clientMessageId !== null && known.clientMessageId === message.clientMessageId
    : known.id === message.id

/** The messages that could not be sent and are not on the server, with their failure rows. */
export function unsentOf(messages: readonly ThreadMessage[], chat: Pick<ChatDetail, 'messages'>): ThreadMessage[] {
  const isUnsent = (message: ThreadMessage | undefined): message is ThreadMessage =>
    message?.state === 'failed' && !chat.messages.some((stored) => isSame(message, stored))
  return messages.filter((message, index) => {
    // The row below a message shows its failure, and is kept with it.
    const sender = message.role === 'user' ? message : messages[index - 1]
    return message.id === null && isUnsent(sender)
  })
}

/** Prepends older messages; one that is being sent or answered already has its row, by whose answer's id it may not be known yet. */
export function takeOlder(state: ThreadState, chat: ChatDetail): ThreadState {
  const isKnown = (message: Message): boolean =>
    message.status === 'generating' || state.messages.some((known) => isSame(known, message))
  const known = chat.messages.findIndex(isKnown)
  const older = chat.messages.slice(0, known < 0 ? undefined : known).map((message) => fromServer(message))
  return {
    ...state,
    messages: [...older, ...state.messages],
    hasMore: chat.hasMore && older.length > 0,
    loading: 'none',
    prepended: true,
  }
}
