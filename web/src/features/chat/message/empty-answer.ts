import type { ThreadMessage } from '../thread/state/thread-message.ts'

const longest = 1_000

/** The text shown for an answer without one: its last tool's result or error, else its reasoning; at most 1,000 characters. May be empty. */
export function fallbackTextOf({ toolCalls, reasoning }: Pick<ThreadMessage, 'toolCalls' | 'reasoning'>): string {
  const call = toolCalls.at(-1)
  const text = (call?.error ?? call?.resultNormalized ?? reasoning).trim()
  const characters = [...text]
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}
