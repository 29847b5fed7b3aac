import type { ChatDetail, ChatSummary } from '@parley/contracts'

export interface ChatReader {
  readonly listChats: () => Promise<readonly ChatSummary[]>
  readonly readChat: (id: string) => Promise<ChatDetail>
}

/** Finds the chat that a failed first message created nevertheless, by the client's message id; null when there is none. Rejects like the calls. */
export async function findBegunChat(reader: ChatReader, clientMessageId: string): Promise<string | null> {
  const chats = await reader.listChats()
  const newest = chats.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0]
  if (!newest) return null
  const { messages } = await reader.readChat(newest._id)
  return messages.some((message) => message.clientMessageId === clientMessageId) ? newest._id : null
}
