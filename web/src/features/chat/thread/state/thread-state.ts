import type { Failure } from './failure.ts'
import type { LiveAnswer } from './live-answer.ts'
import type { ThreadMessage } from './thread-message.ts'

/** What a new version removed from the screen: an answer or a question with everything after it; or, for a continuation, the answer before it. */
export interface Replaced {
  readonly kind: 'answer' | 'question' | 'part'
  /** Starts with the replaced message. */
  readonly messages: readonly ThreadMessage[]
}

/** The complete state of a chat on screen. */
export interface ThreadState {
  /** Null until the first message of a new chat is stored, and always for a guest. */
  readonly chatId: string | null
  readonly title: string | null
  readonly archived: boolean
  /** Oldest first. The row of a running answer is unchanged; the growing part is `live`. */
  readonly messages: readonly ThreadMessage[]
  readonly live: LiveAnswer | null
  readonly hasMore: boolean
  /** The page around a message is shown, and the thread continues after it. */
  readonly hasNewer: boolean
  /** Messages that could not be sent and belong to the end of the thread, while that is not shown. */
  readonly unsent: readonly ThreadMessage[]
  /** Counts jumps to another position in the thread, each of which replaces all messages. */
  readonly position: number
  /** `missing`: the server does not know the chat. */
  readonly loading: 'none' | 'first' | 'older' | 'newer' | 'failed' | 'missing'
  /** The last change prepended messages, so the view must keep its scroll position. */
  readonly prepended: boolean
  /** What the version being made replaces; restored if that is refused. */
  readonly replaced: Replaced | null
  /** Why nothing can be sent for now: no credits or no allowance left. */
  readonly blocked: Failure | null
  /** Unsent text to be returned to the composer; a new object each time. */
  readonly returned: (Pick<ThreadMessage, 'attachments' | 'modes'> & { readonly text: string }) | null
  /** The question being edited in place, by its key, and its new text. */
  readonly editing: { readonly key: string; readonly text: string } | null
  /** The reasons for ratings that are being written, by the key of their answer. */
  readonly reasons: Readonly<Record<string, string>>
  /** Id of the message to scroll to; null once done. */
  readonly target: string | null
  /** The search words that led to it; null without a search. */
  readonly words: string | null
}

/** A thread in its initial state; `loading` when its messages are about to be loaded. */
export const emptyThread = (chatId: string | null, loading: 'none' | 'first' = 'none'): ThreadState => ({
  chatId,
  title: null,
  archived: false,
  messages: [],
  live: null,
  hasMore: false,
  hasNewer: false,
  unsent: [],
  position: 0,
  loading,
  prepended: false,
  replaced: null,
  blocked: null,
  returned: null,
  editing: null,
  reasons: {},
  target: null,
  words: null,
})

/** What of a message returns to the composer. */
export const draftOf = ({ content, attachments, modes }: ThreadMessage) => ({ text: content, attachments, modes })

/** Returns a message that the server has not accepted to the composer; it stays in the thread, which is about to be left. */
export function giveBackUnsent(state: ThreadState): ThreadState {
  const question = state.messages.findLast(({ role }) => role === 'user')
  const isUnsent = question?.state === 'saving' || question?.state === 'failed'
  return isUnsent ? { ...state, returned: draftOf(question) } : state
}

/** Takes back a message that was not sent: it returns to the composer, and what it was to replace is restored. */
export function takeBack(state: ThreadState): ThreadState {
  const { live, replaced } = state
  if (!live) return state
  const rows = state.messages.filter(({ key }) => key !== live.key)
  const sent = replaced !== null && replaced.kind !== 'question' ? undefined : rows.at(-1)
  const messages = [...rows.filter((row) => row !== sent), ...(replaced?.messages ?? [])]
  return { ...state, live: null, replaced: null, messages, returned: sent ? draftOf(sent) : state.returned }
}
