import type { ChatDetail, ChatSummary, Message } from '@parley/contracts'
import type { Chat, Ending } from './store/documents.ts'
import type { PathMessage } from './store/message-store.ts'

/** A chat as the list shows it. */
export const presentChat = (chat: Chat): ChatSummary => ({
  _id: chat.id,
  title: chat.title,
  modelUsed: chat.modelUsed,
  createdAt: chat.createdAt.toISOString(),
  updatedAt: chat.updatedAt.toISOString(),
  messageCount: chat.messageCount,
  pinned: chat.pinned,
})

/** A page of a chat. @param path newest first, as the store gives it */
export function presentPage(chat: Chat, path: readonly PathMessage[]): ChatDetail {
  const { pinned: _pinned, messageCount: _count, ...summary } = presentChat(chat)
  const generating = path.find(({ status }) => status === 'generating')
  const oldest = path.at(-1)
  return {
    ...summary,
    messages: path.toReversed().map(presentMessage),
    hasMore: oldest !== undefined && oldest.parentId !== null,
    ...(generating && { generating: { messageId: generating.id } }),
  }
}

function presentMessage(message: PathMessage): Message {
  const { ending } = message
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    ...presentReasoning(message),
    model: message.model,
    status: message.status,
    parentId: message.parentId,
    ...(message.versions.length > 1 && { versions: [...message.versions] }),
    ...(ending && presentEnding(ending)),
    ...(message.clientMessageId !== null && { clientMessageId: message.clientMessageId }),
    createdAt: message.createdAt.toISOString(),
  }
}

function presentReasoning({ reasoning, reasoningMs, content, ending }: PathMessage): Partial<Message> {
  if (reasoning === '') return {}
  const thinks = ending === null && content === ''
  return thinks ? { reasoning } : { reasoning, reasoningMs }
}

const presentEnding = ({ usage, credits, durationMs, finishReason, failure }: Ending): Partial<Message> => ({
  usage,
  credits: credits.charged,
  durationMs,
  finishReason,
  ...(failure && { error: failure.error }),
})
