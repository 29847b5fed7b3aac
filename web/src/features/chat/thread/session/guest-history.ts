import type { SendBody } from '@parley/contracts'
import type { ThreadMessage } from '../state/thread-message.ts'

const maxMessages = 60
const maxLength = 300_000

/** The preceding messages that a guest's request includes: the latest ones with text, within the server's limits. */
export function guestHistory(messages: readonly ThreadMessage[]): NonNullable<SendBody['messages']> {
  const kept: NonNullable<SendBody['messages']> = []
  let length = 0
  for (const { role, content, state } of messages.slice(-maxMessages).reverse()) {
    if (content === '' || state === 'failed' || state === 'error') continue
    length += content.length
    if (length > maxLength) break
    kept.unshift({ role, content })
  }
  return kept
}
