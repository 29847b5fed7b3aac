import type { ChatSummary, ServerPayload } from '@parley/contracts'

/**
 * A page of the list of chats with what the socket reports of one. On the first page a chat that was just begun is listed at once, as far as it is
 * known; the server knows the rest.
 */
export function takeUpdate(
  chats: readonly ChatSummary[],
  update: ServerPayload<'chat:update'>,
  isFirstPage: boolean,
): readonly ChatSummary[] {
  const { chatId, title, updatedAt, archived, clientMessageId } = update
  const known = chats.find(({ _id }) => _id === chatId)
  if (known) {
    // It is in the other list then.
    if (known.archived !== archived) return chats.filter((chat) => chat !== known)
    return chats.map((chat) =>
      chat._id === chatId ? { ...chat, updatedAt, ...(title !== undefined && { title }) } : chat,
    )
  }
  if (!isFirstPage || clientMessageId === undefined || title === undefined) return chats
  const times = { createdAt: updatedAt, updatedAt }
  return [{ _id: chatId, title, modelUsed: '', messageCount: 1, pinned: false, ...times }, ...chats]
}
