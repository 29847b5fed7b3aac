import type { Feedback, Usage } from '@parley/contracts'
import type { ThreadMessage } from './entities.ts'

/** Bytes of messages that are read at once; a message that is larger is read alone. */
export const bytesAtOnce = 1024 * 1024

/** A message of a thread and the ids of all its versions, itself included, in order of creation. */
export interface PathMessage extends ThreadMessage {
  readonly versions: readonly string[]
}

/** A node of a chat's tree: a message without its text. */
export interface OutlineEntry {
  readonly id: string
  readonly parentId: string | null
  readonly role: ThreadMessage['role']
  readonly status: ThreadMessage['status']
  readonly model: string | null
  /** It failed before any text. */
  readonly isEmpty: boolean
  /** It has attachments, or made images. */
  readonly hasAttachments: boolean
  /** About how many it has; on MongoDB 0 until an answer has ended. */
  readonly bytes: number
  /** Null for a user's message and for an answer that has not ended. */
  readonly usage: Usage | null
  /** When it was written or, if later, last chosen to be shown as the end of a version. */
  readonly at: Date
}

/** A message that is finished when it is stored; the store decides its position. */
export type FinishedMessage = Omit<ThreadMessage, 'chatId' | 'parentId' | 'generations' | 'generationId'>

/** Where finished messages are added; by default after the last message shown. */
export interface AppendPosition {
  /** The message that must be the last one shown; null for none. */
  readonly follows?: string | null
  /** The message of the chat to add them after instead. */
  readonly parentId?: string
}

/**
 * `appended`; or, with nothing changed: `gone` when the owner has no such chat, or the chat no such message to add them after, `busy` while an answer
 * in it is generating, `moved` when another message is the last one shown by now.
 */
export type Appended = 'appended' | 'gone' | 'busy' | 'moved'

/** `shown`; or, with nothing changed: `gone` when there is no such chat, `busy` while an answer in it is generating, `moved` when other messages follow it. */
export type Shown = 'shown' | 'gone' | 'busy' | 'moved'

/**
 * The messages of chats as a tree by `parentId`. The chat decides which owner may read. Every act is atomic and on disk when it resolves.
 */
export interface MessageStore {
  /** Undefined when this chat has no such message. */
  find(chatId: string, messageId: string): Promise<ThreadMessage | undefined>
  /** The messages with these ids that belong to the chat, in the order of `ids`. */
  findMany(chatId: string, ids: readonly string[]): Promise<readonly ThreadMessage[]>
  /**
   * The message `from`, its parent, that one's parent and so on: newest first, at most `limit` of them and about `bytes` bytes, but one in any case. `shown`
   * starts at the last message of the version that is shown. Versions that failed before any text are left out of `versions`, except the message
   * itself. Empty when there is no such message. Its cost grows with `limit`, not with the chat.
   */
  path(chatId: string, from: string | 'shown', limit: number, bytes?: number): Promise<readonly PathMessage[]>
  /** Every message of a chat, in order of creation. */
  outline(chatId: string): Promise<readonly OutlineEntry[]>
  /** The texts of messages of any chat, in any order. */
  contents(ids: readonly string[]): Promise<readonly Pick<ThreadMessage, 'id' | 'chatId' | 'content'>[]>
  /** Those of these ids that messages of any chat have. */
  existing(ids: readonly string[]): Promise<readonly string[]>
  /**
   * Adds finished messages after the last one shown, or at another position, each answering the one before; the last of them is shown then. Messages
   * whose id is taken are left out.
   */
  append(
    chatId: string,
    ownerId: string,
    messages: readonly FinishedMessage[],
    position?: AppendPosition,
  ): Promise<Appended>
  /** Shows the version of the thread that ends with this message of the chat; no other message may follow it. */
  show(chatId: string, ownerId: string, leafId: string, at: Date): Promise<Shown>
  /** Stores a reader's feedback on an answer; null removes it. False when the chat has no such answer. */
  rate(chatId: string, messageId: string, feedback: Feedback | null): Promise<boolean>
}
