import type { ChatDetail, ChatSummary } from '@parley/contracts'

/** The two calls that finding a chat takes. */
export interface ChatReader {
  readonly listChats: () => Promise<readonly ChatSummary[]>
  readonly readChat: (id: string) => Promise<ChatDetail>
}

/** The chat that a refused first message began all the same, recognised by the id its sender gave it; null when there is none. Rejects as the calls do. */
export async function findBegunChat(reader: ChatReader, clientMessageId: string): Promise<string | null> {
  const chats = await reader.listChats()
  const newest = chats.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0]
  if (!newest) return null
  const { messages } = await reader.readChat(newest._id)
  return messages.some((message) => message.clientMessageId === clientMessageId) ? newest._id : null
}
