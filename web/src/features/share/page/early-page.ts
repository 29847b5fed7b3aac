import type { SharedChat } from '@parley/contracts'
import { request } from '../../../shared/api/request.ts'
import { sharedChatEndpoints } from '../../../shared/api/shared-chat-endpoints.ts'

/** The answer to the early call. */
export type EarlyAnswer = { readonly chat: SharedChat } | { readonly error: unknown }

interface Early {
  readonly id: string
  readonly page: Promise<SharedChat>
  /** Null until it is there. */
  answer: EarlyAnswer | null
}

let early: Early | null = null

/** Asks for a page of the chat behind a link, the first being 0. */
export const readSharedPage = (
  id: string,
  page: number,
  headers: Readonly<Record<string, string>>,
): Promise<SharedChat> => request(sharedChatEndpoints.sharedChat, { params: { id }, query: { page }, headers })

/** Asks for the first page before there is anything to show it, while texts are on their way. Resolves once it is known, or why it is not. */
export async function askEarly(id: string): Promise<void> {
  const page = readSharedPage(id, 0, {})
  const asked: Early = { id, page, answer: null }
  early = asked
  try {
    asked.answer = { chat: await page }
  } catch (error) {
    // A failure shows where the page is needed.
    asked.answer = { error }
  }
}

/** What was answered so far to the early call; null while nothing is. */
export const earlyAnswer = (id: string): EarlyAnswer | null => (early?.id === id ? early.answer : null)

/** What was asked for early, once: whoever asks again wants to know how it is now. */
export function takeEarlyPage(id: string): Promise<SharedChat> | null {
  const page = early?.id === id ? early.page : null
  early = null
  return page
}
