import type { ThreadMessage, UserMessage } from './documents.ts'

/** A message of a thread and the ids of all its versions, itself included, in order of creation. */
export interface PathMessage extends ThreadMessage {
  readonly versions: readonly string[]
}

/**
 * The messages of chats as a tree by `parentId`. Which owner may read is decided by the chat. Every act is atomic and on disk when it resolves.
 */
export interface MessageStore {
  /** Keeps what a user wrote. Does nothing when there is a message with this id. */
  addUserMessage(message: UserMessage): Promise<void>
  /** Undefined when this chat has no such message. */
  find(chatId: string, messageId: string): Promise<ThreadMessage | undefined>
  /**
   * The message `from`, its parent, that one's parent and so on: newest first, at most `limit`. `newest` starts at the message
   * created last. Versions that failed without a word are left out of `versions` unless it is the message itself. Empty when there is no such message.
   * Its cost grows with `limit`, not with the chat.
   */
  path(chatId: string, from: string | 'newest', limit: number): Promise<readonly PathMessage[]>
}
