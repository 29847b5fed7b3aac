import type { ThreadMessage } from '../thread/thread-message.ts'

const longest = 1_000

/** What stands for an answer without text: what its last tool gave or why that failed, else its thoughts; 1,000 characters at most. Empty when there is nothing. */
export function fallbackTextOf({ toolCalls, reasoning }: Pick<ThreadMessage, 'toolCalls' | 'reasoning'>): string {
  const call = toolCalls.at(-1)
  const text = (call?.error ?? call?.resultNormalized ?? reasoning).trim()
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}
