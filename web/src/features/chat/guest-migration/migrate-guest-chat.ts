import { endpoints, request } from '../../../shared/api/index.ts'
import { getSession, guestThreadKey, privatePrefix } from '../../../shared/session/index.ts'
import { createComposerDrafts } from '../composer/composer-drafts.ts'
import { createGuestThreadStore } from '../thread/session/guest-thread.ts'
import { guestChatFile } from './guest-chat-file.ts'

/** Timeout in milliseconds, short because the user is waiting. */
const timeoutMs = 10_000

let running: { readonly userId: string; readonly result: Promise<string | null> } | null = null

/**
 * Saves this tab's guest chat to the signed-in account, together with the draft, and removes it from the tab. Resolves to the chat's id, or to null
 * when there was none. Idempotent: concurrent and repeated calls create only one chat.
 * @throws ApiError when the server does not accept it; the tab then keeps it
 */
export function migrateGuestChat(): Promise<string | null> {
  const userId = getSession().user?._id ?? ''
  if (running?.userId === userId) return running.result
  const result = migrate().finally(() => {
    running = null
  })
  running = { userId, result }
  return result
}

async function migrate(): Promise<string | null> {
  const kept = createGuestThreadStore(() => sessionStorage, guestThreadKey)
  const forget = () => kept.write({ messages: [], generating: null })
  const file = guestChatFile(kept.read()?.messages ?? [])
  if (file === null) {
    forget()
    return null
  }
  const { chatIds = [] } = await request(endpoints.importChats, { body: file, query: { chatIds: 'true' }, timeoutMs })
  forget()
  const chatId = chatIds[0] ?? null
  if (chatId !== null) createComposerDrafts(() => localStorage, privatePrefix).adopt(chatId)
  return chatId
}
