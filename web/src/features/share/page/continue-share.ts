import { request } from '../../../shared/api/request.ts'
import { sharedChatEndpoints } from '../../../shared/api/shared-chat-endpoints.ts'
import { getSession, rememberReturnPath } from '../../../shared/session/index.ts'

/**
 * Copies a shared chat into the visitor's account and opens it there; a visitor without one signs in first, and returns to the link.
 * Resolves to true, as the page is being left.
 */
export async function continueShare(id: string, headers: Readonly<Record<string, string>>): Promise<true> {
  if (getSession().token === null) {
    rememberReturnPath(`/s/${id}`)
    location.assign('/login')
    return true
  }
  const { chatId } = await request(sharedChatEndpoints.continueShare, { params: { id }, headers })
  location.assign(`/c/${encodeURIComponent(chatId)}`)
  return true
}
