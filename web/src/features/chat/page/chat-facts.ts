import type { ChatInfo } from '@parley/contracts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'

/** Counts of the loaded part of a chat; a saved chat may have more on the server. */
export interface ChatFacts extends Pick<ChatInfo, 'messages' | 'tokens' | 'tokensAccurate'> {
  /** Null for a new chat, and for a guest's. */
  readonly chatId: string | null
}

/** Counts the messages of a thread, except those that were not sent. */
export function factsOf(chatId: string | null, thread: readonly ThreadMessage[]): ChatFacts {
  const counted = thread.filter(({ id }) => id !== null)
  const user = counted.filter(({ role }) => role === 'user').length
  const usages = counted.flatMap(({ usage }) => (usage ? [usage] : []))
  const input = usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0)
  const output = usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0)
  return {
    chatId,
    messages: { total: counted.length, user, assistant: counted.length - user },
    tokens: { input, output, total: input + output },
    tokensAccurate: usages.every(({ estimated }) => !estimated),
  }
}
