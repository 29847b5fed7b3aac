import type { Feedback, Usage } from '@parley/contracts'
import type { ThreadMessage } from './documents.ts'

/** A message of a thread and the ids of all its versions, itself included, in order of creation. */
export interface PathMessage extends ThreadMessage {
  readonly versions: readonly string[]
}

/** What a chat's tree is seen by: a message without its text. */
export interface OutlineEntry {
  readonly id: string
  readonly parentId: string | null
  readonly role: ThreadMessage['role']
  readonly status: ThreadMessage['status']
  readonly model: string | null
  /** It failed without a word. */
  readonly isEmpty: boolean
  /** It came with files, or made images. */
  readonly hasAttachments: boolean
  /** Null for a user's message and for an answer that has not ended. */
  readonly usage: Usage | null
  /** When it was written or, if later, last chosen to be shown as the end of a version. */
  readonly at: Date
}

/** A message that is finished when it is stored; where it goes is the store's. */
export type FinishedMessage = Omit<ThreadMessage, 'chatId' | 'parentId' | 'generations' | 'generationId'>

/** Where finished messages go, unless it is behind whatever is the last message shown. */
export interface AppendPosition {
  /** The message that has to be the last one shown; null for none. */
  readonly follows?: string | null
  /** The message of the chat that they go behind instead. */
  readonly parentId?: string
}

/**
 * `appended`; or, with nothing changed: `gone` when the owner has no such chat, or that has no such message to go behind, `busy` while an answer of
 * it is generating, `moved` when they would follow what is not the last message shown any more.
 */
export type Appended = 'appended' | 'gone' | 'busy' | 'moved'

/** `shown`; or, with nothing changed: `gone` when there is no such chat, `busy` while an answer of it is generating, `moved` when others follow that message. */
export type Shown = 'shown' | 'gone' | 'busy' | 'moved'

/**
 * The messages of chats as a tree by `parentId`. Which owner may read is decided by the chat. Every act is atomic and on disk when it resolves.
 */
export interface MessageStore {
  /** Undefined when this chat has no such message. */
  find(chatId: string, messageId: string): Promise<ThreadMessage | undefined>
  /** Those of these messages that the chat has, in the order of `ids`. */
  some(chatId: string, ids: readonly string[]): Promise<readonly ThreadMessage[]>
  /**
   * The message `from`, its parent, that one's parent and so on: newest first, at most `limit`. `shown` starts at the last message of the version
   * that is shown. Versions that failed without a word are left out of `versions` unless it is the message itself. Empty when there is no such message.
   * Its cost grows with `limit`, not with the chat.
   */
  path(chatId: string, from: string | 'shown', limit: number): Promise<readonly PathMessage[]>
  /** Every message of a chat, in order of creation. */
  outline(chatId: string): Promise<readonly OutlineEntry[]>
  /** The texts of messages of whatever chat, in any order. */
  contents(ids: readonly string[]): Promise<readonly Pick<ThreadMessage, 'id' | 'chatId' | 'content'>[]>
  /** Those of these ids that are taken by messages of whatever chat. */
  known(ids: readonly string[]): Promise<readonly string[]>
  /**
   * Keeps finished messages behind the last one shown, or at another position, each answering the one before; the last of them is shown then. Those
   * whose id is taken are left out.
   */
  append(
    chatId: string,
    ownerId: string,
    messages: readonly FinishedMessage[],
    position?: AppendPosition,
  ): Promise<Appended>
  /** Shows the version of the thread that ends with this message of the chat; it has to be one that none follows. */
  show(chatId: string, ownerId: string, leafId: string, at: Date): Promise<Shown>
  /** Keeps what a reader thought of an answer; null forgets it. False when the chat has no such answer. */
  rate(chatId: string, messageId: string, feedback: Feedback | null): Promise<boolean>
}
