import type { Chat, ThreadMessage } from './documents.ts'

/** Which of an owner's chats: those with these ids, or every one. */
export type ChatSelection = readonly string[] | 'all'

/** Chats of a list, at most, unless it is asked for fewer. */
export const mostListed = 10_000

/** What can be changed of a chat. */
export type ChatChange = { readonly title: string } | { readonly pinned: boolean } | { readonly memoryOff: boolean }

/** A part of an owner's list. */
export interface ListPart {
  readonly limit?: number
  /** The chat of the list that comes before it; the part begins with the first one otherwise. */
  readonly after?: Pick<Chat, 'id' | 'updatedAt'> | undefined
  /** Only those that are pinned, or that are not. */
  readonly pinned?: boolean | undefined
  /** Those that are archived, instead of those that are not. */
  readonly archived?: boolean | undefined
}

/**
 * Chats without their messages. Every act is atomic and on disk when it resolves. A chat of another owner and a removed one
 * are as if they did not exist.
 */
export interface ChatStore {
  /** Keeps a new chat. Does nothing when there is one with this id. */
  add(chat: Chat): Promise<void>
  /** Keeps a new chat with messages that are finished, none before its parent. Resolves to false, with nothing kept, when there is one with its id. */
  addWhole(chat: Chat, messages: readonly ThreadMessage[]): Promise<boolean>
  /** Undefined when there is none. */
  find(chatId: string, ownerId: string): Promise<Chat | undefined>
  /** An owner's, the one written to last first, by an index in this order: its cost grows with what is listed, not with what there is. */
  list(ownerId: string, part?: ListPart): Promise<readonly Chat[]>
  /** The titles of all of an owner's, archived ones too, in the same order. */
  titles(ownerId: string): Promise<readonly Pick<Chat, 'id' | 'title' | 'archived'>[]>
  /** Those of these that are the owner's, in the same order. */
  some(ownerId: string, ids: readonly string[]): Promise<readonly Chat[]>
  /** Resolves to false when there is no such chat. */
  change(chatId: string, ownerId: string, change: ChatChange): Promise<boolean>
  /** Changes a title that is still `from`. Resolves to the chat as it stands then; undefined when nothing was changed. */
  retitle(
    chatId: string,
    ownerId: string,
    title: { readonly from: string; readonly to: string },
  ): Promise<Chat | undefined>
  /**
   * Notes that messages were written: the model, and the time if it is later; they were counted as they were added. The chat is archived no
   * longer. Resolves to the chat as it stands then; undefined when it is gone or removed.
   */
  noteMessages(chatId: string, model: string, at: Date): Promise<Chat | undefined>
  /** Archives chats or takes them out of the archive. Resolves to those of them that there are, as they stand then. */
  archive(ownerId: string, ids: readonly string[], archived: boolean): Promise<readonly Chat[]>
  /** Hides chats, so that they can be restored. Resolves to the ids that it hid. */
  remove(ownerId: string, selection: ChatSelection, at: Date): Promise<readonly string[]>
  /** Shows a chat again that was removed no earlier than `since`; false when there is none. */
  restore(chatId: string, ownerId: string, since: Date): Promise<boolean>
  /** Deletes chats removed before `before` for good, with their messages, except while one of these is generating. At most 100 at a time. */
  purge(before: Date): Promise<void>
}
