import type { SharedChat } from '@parley/contracts'
import { request } from '../../../shared/api/request.ts'
import { sharedChatEndpoints } from '../../../shared/api/shared-chat-endpoints.ts'

let early: { readonly id: string; readonly page: Promise<SharedChat> } | null = null

/** Asks for a page of the chat behind a link, the first being 0. */
export const readSharedPage = (
  id: string,
  page: number,
  headers: Readonly<Record<string, string>>,
): Promise<SharedChat> => request(sharedChatEndpoints.sharedChat, { params: { id }, query: { page }, headers })

/** Asks for the first page before there is anything to show it, while texts are on their way. */
export function askEarly(id: string): void {
  const page = readSharedPage(id, 0, {})
  // A failure shows where the page is needed.
  page.catch(() => undefined)
  early = { id, page }
}

/** What was asked for early, once: whoever asks again wants to know how it is now. */
export function takeEarlyPage(id: string): Promise<SharedChat> | null {
  const page = early?.id === id ? early.page : null
  early = null
  return page
}
