import type { ChatDetail, ChatSummary, Message } from '@parley/contracts'
import { memoryOf } from './memory/memory-events.ts'
import type { Chat, Ending, ThreadMessage } from './store/entities.ts'
import type { PathMessage } from './store/message-store.ts'
import { toolCallsOf } from './tools/tool-calls.ts'

/** A chat as the list shows it. */
export const presentChat = (chat: Chat): ChatSummary => ({
  _id: chat.id,
  title: chat.title,
  modelUsed: chat.modelUsed,
  createdAt: chat.createdAt.toISOString(),
  updatedAt: chat.updatedAt.toISOString(),
  messageCount: chat.messageCount,
  pinned: chat.pinned,
  ...(chat.archived && { archived: true as const }),
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
    ...(generating && { generating: { messageId: generating.id, ...presentRunning(generating) } }),
    ...(chat.memoryOff && { memoryEnabled: false as const }),
  }
}

/** A message as its owner sees it. */
export function presentMessage(message: ThreadMessage & Partial<Pick<PathMessage, 'versions'>>): Message {
  const { ending, versions = [] } = message
  return {
    id: message.id,
    role: message.role,
    content: message.content,
    ...presentReasoning(message),
    ...presentExtras(message),
    model: message.model,
    status: message.status,
    parentId: message.parentId,
    ...(versions.length > 1 && { versions: [...versions] }),
    ...(ending && presentEnding(ending)),
    ...presentGenerations(message),
    ...presentRunning(message),
    ...(message.clientMessageId !== null && { clientMessageId: message.clientMessageId }),
    createdAt: message.createdAt.toISOString(),
  }
}

function presentReasoning({ reasoning, reasoningMs, content, ending }: ThreadMessage): Partial<Message> {
  if (reasoning === '') return {}
  const thinks = ending === null && content === ''
  return thinks ? { reasoning } : { reasoning, reasoningMs }
}

function presentExtras(message: ThreadMessage): Partial<Message> {
  const { attachments, events, search, feedback, modes, createdAt } = message
  const toolCalls = toolCallsOf(events, createdAt)
  return {
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(search && { webSearchQuery: search.query, webSearchResults: [...search.results] }),
    ...(feedback && { feedback }),
    ...memoryOf(events),
    ...(modes.length > 0 && { modes: [...modes] }),
  }
}

const presentRunning = ({ generationId }: Pick<ThreadMessage, 'generationId'>) => generationId && { generationId }

function presentGenerations({ generations = [] }: ThreadMessage): Partial<Message> {
  if (generations.length < 2) return {}
  return {
    generations: generations.map(({ id, model, ending: { usage, credits } }) => {
      return { id, model, usage, credits: credits.charged }
    }),
  }
}

const presentEnding = ({ usage, credits, durationMs, finishReason, failure }: Ending): Partial<Message> => ({
  usage,
  credits: credits.charged,
  durationMs,
  finishReason,
  ...(failure && { error: failure.error }),
})
