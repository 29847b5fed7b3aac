import type { ChatSummary, ServerPayload } from '@parley/contracts'

/**
 * A page of the list of chats after a socket event about one. On the first page a new chat is listed immediately with the known fields;
 * the server has the rest.
 */
export function takeUpdate(
  chats: readonly ChatSummary[],
  update: ServerPayload<'chat:update'>,
  isFirstPage: boolean,
): readonly ChatSummary[] {
  const { chatId, title, updatedAt, archived, clientMessageId } = update
  const known = chats.find(({ _id }) => _id === chatId)
  if (known) {
    // It has moved to the other list.
    if (known.archived !== archived) return chats.filter((chat) => chat !== known)
    return chats.map((chat) =>
      chat._id === chatId ? { ...chat, updatedAt, ...(title !== undefined && { title }) } : chat,
    )
  }
  if (!isFirstPage || clientMessageId === undefined || title === undefined) return chats
  const times = { createdAt: updatedAt, updatedAt }
  return [{ _id: chatId, title, modelUsed: '', messageCount: 1, pinned: false, ...times }, ...chats]
}
