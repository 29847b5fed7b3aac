import type { Chat, ThreadMessage } from './entities.ts'

/** A selection of an owner's chats: those with these ids, or all of them. */
export type ChatSelection = readonly string[] | 'all'

/** The most chats that a list returns; a caller may ask for fewer. */
export const mostListed = 10_000

/** The most chats that are purged at once. */
export const purgedAtOnce = 100

/** The properties of a chat that can be changed. */
export type ChatChange = { readonly title: string } | { readonly pinned: boolean } | { readonly memoryOff: boolean }

/** A part of an owner's list. */
export interface ListPart {
  readonly limit?: number
  /** The chat of the list that comes before it; the part begins with the first one otherwise. */
  readonly after?: Pick<Chat, 'id' | 'updatedAt'> | undefined
  /** Only pinned chats, or only the others. */
  readonly pinned?: boolean | undefined
  /** Lists archived chats instead of the others. */
  readonly archived?: boolean | undefined
}

/**
 * Chats without their messages. Every act is atomic and on disk when it resolves. A chat of another owner and a removed one
 * are as if they did not exist.
 */
export interface ChatStore {
  /** Stores a new chat, with finished messages, parents before their children. Resolves to false, with nothing stored, when the id is taken. */
  add(chat: Chat, messages?: readonly ThreadMessage[]): Promise<boolean>
  /** Undefined when there is none. */
  find(chatId: string, ownerId: string): Promise<Chat | undefined>
  /** An owner's chats, the one written to last first, by an index in this order: the cost grows with the page, not with the number of chats. */
  list(ownerId: string, part?: ListPart): Promise<readonly Chat[]>
  /** The titles of all of an owner's, archived ones too, in the same order. */
  titles(ownerId: string): Promise<readonly Pick<Chat, 'id' | 'title' | 'archived'>[]>
  /** The chats with these ids that belong to the owner, in the order of the list. */
  findMany(ownerId: string, ids: readonly string[]): Promise<readonly Chat[]>
  /** Resolves to false when there is no such chat. */
  change(chatId: string, ownerId: string, change: ChatChange): Promise<boolean>
  /** Changes the title if it is still `from`. Resolves to the changed chat; undefined when nothing was changed. */
  retitle(
    chatId: string,
    ownerId: string,
    title: { readonly from: string; readonly to: string },
  ): Promise<Chat | undefined>
  /**
   * Notes that messages were written: the model, and the time if it is later; they were counted as they were added. The chat is unarchived.
   * Resolves to the changed chat; undefined when it is gone or removed.
   */
  noteMessages(chatId: string, model: string, at: Date): Promise<Chat | undefined>
  /** Archives or unarchives chats. Resolves to those that exist, as they are afterwards. */
  archive(ownerId: string, ids: readonly string[], archived: boolean): Promise<readonly Chat[]>
  /** Hides chats, so that they can be restored. Resolves to the ids of those it hid. */
  remove(ownerId: string, selection: ChatSelection, at: Date): Promise<readonly string[]>
  /** Shows a chat again that was removed no earlier than `since` and whose files are not released; false when there is none. */
  restore(chatId: string, ownerId: string, since: Date): Promise<boolean>
  /**
   * Deletes chats that were removed before `before`, with their messages, except while one of these is generating, and notes `purgedAnswer` in their sends.
   * At most `purgedAtOnce`.
   */
  purge(before: Date): Promise<void>
}
